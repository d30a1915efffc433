// SPDX-License-Identifier: MIT
/*
 * What the rig does inside the virtual board where a microsecond counts; everything else is Python or shell.
 *
 *   rigtool drive PLAN LOG    drive pins: PLAN has lines "NS PIN LEVEL", NS counted from START (0.2 s after the call)
 *   rigtool link SOCKET LOG   follow the service's link: each line with the instant at which it came
 *   rigtool stamp LOG         copy standard input, in pieces as they come: u64 ns, u32 length, bytes
 *   rigtool now               print CLOCK_MONOTONIC, in ns
 *   rigtool exec LOG COMMAND  write CLOCK_MONOTONIC to LOG, then become COMMAND
 *
 * LOG of drive: "start NS", then for each edge "NS BEFORE AFTER PIN LEVEL": planned, just before and after the write.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LINES 54
#define SPIN_NS 60000

static void fail(const char *what)
{
	fprintf(stderr, "rigtool: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void sleep_until(int64_t at)
{
	int64_t early = at - SPIN_NS;
	struct timespec t = { .tv_sec = early / 1000000000, .tv_nsec = early % 1000000000 };

	if (early > now_ns())
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			;
	while (now_ns() < at)
		;
}

struct edge {
	int64_t at, before, after;
	int pin, level;
};

static int drive(const char *plan, const char *log)
{
	static int pulls[LINES];
	struct sched_param fast = { .sched_priority = 40 };
	struct edge *edges = NULL;
	size_t n = 0, room = 0, i;
	int64_t start;
	FILE *in = fopen(plan, "r"), *out;
	char path[96];

	if (!in)
		fail(plan);
	for (;;) {
		struct edge e = { 0 };

		if (n == room && !(edges = realloc(edges, (room = room ? 2 * room : 256) * sizeof(e))))
			fail("memory");
		if (fscanf(in, "%" SCNd64 " %d %d", &e.at, &e.pin, &e.level) != 3)
			break;
		if (e.pin < 0 || e.pin >= LINES) {
			fprintf(stderr, "rigtool: %s: pin %d; this chip has lines 0 to %d\n", plan, e.pin, LINES - 1);
			return 1;
		}
		edges[n++] = e;
	}
	fclose(in);
	for (i = 0; i < n; i++) {
		if (pulls[edges[i].pin])
			continue;
		snprintf(path, sizeof(path), "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio%d/pull", edges[i].pin);
		pulls[edges[i].pin] = open(path, O_WRONLY);
		if (pulls[edges[i].pin] < 0)
			fail(path);
	}
	mlockall(MCL_CURRENT);
	if (sched_setscheduler(0, SCHED_FIFO, &fast))
		fail("SCHED_FIFO");
	start = now_ns() + 200000000;
	out = fopen(log, "w");
	if (!out)
		fail(log);
	/* At once, so that it is known also after a power cut. */
	fprintf(out, "start %" PRId64 "\n", start);
	fflush(out);
	for (i = 0; i < n; i++) {
		struct edge *e = &edges[i];
		const char *pull = e->level ? "pull-up" : "pull-down";

		sleep_until(start + e->at);
		e->before = now_ns();
		if (pwrite(pulls[e->pin], pull, strlen(pull), 0) < 0)
			fail("pull");
		e->after = now_ns();
	}
	for (i = 0; i < n; i++)
		fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 " %d %d\n", edges[i].at, edges[i].before, edges[i].after,
			edges[i].pin, edges[i].level);
	return fclose(out) ? 1 : 0;
}

static int link_to(const char *path, const char *log)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	static char line[1 << 20];
	FILE *in, *out = fopen(log, "w");
	int s = -1;

	if (!out)
		fail(log);
	strncpy(to.sun_path, path, sizeof(to.sun_path) - 1);
	for (;;) {
		s = socket(AF_UNIX, SOCK_STREAM, 0);
		if (s < 0)
			fail("socket");
		if (!connect(s, (struct sockaddr *)&to, sizeof(to)))
			break;
		close(s);
		usleep(5000);
	}
	in = fdopen(s, "r");
	while (fgets(line, sizeof(line), in)) {
		fprintf(out, "%" PRId64 " %s", now_ns(), line);
		fflush(out);
	}
	return 0;
}

static int stamp(const char *log)
{
	static char piece[1 << 16];
	FILE *out = fopen(log, "w");
	ssize_t n;

	if (!out)
		fail(log);
	while ((n = read(0, piece, sizeof(piece))) > 0) {
		int64_t at = now_ns();
		uint32_t len = n;

		fwrite(&at, sizeof(at), 1, out);
		fwrite(&len, sizeof(len), 1, out);
		fwrite(piece, 1, n, out);
	}
	return fclose(out) ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (!strcmp(verb, "drive") && argc == 4)
		return drive(argv[2], argv[3]);
	if (!strcmp(verb, "link") && argc == 4)
		return link_to(argv[2], argv[3]);
	if (!strcmp(verb, "stamp") && argc == 3)
		return stamp(argv[2]);
	if (!strcmp(verb, "now") && argc == 2)
		return printf("%" PRId64 "\n", now_ns()) < 0;
	if (!strcmp(verb, "exec") && argc > 3) {
		FILE *out = fopen(argv[2], "w");

		if (!out || fprintf(out, "%" PRId64 "\n", now_ns()) < 0 || fclose(out))
			fail(argv[2]);
		execvp(argv[3], argv + 3);
		fail(argv[3]);
	}
	fprintf(stderr, "rigtool: drive PLAN LOG, link SOCKET LOG, stamp LOG, now, or exec LOG COMMAND\n");
	return 2;
}
