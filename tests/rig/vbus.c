// SPDX-License-Identifier: MIT OR GPL-2.0
/*
 * A virtual I2C bus with one SSD1306 display at 0x3c.
 *
 * Every write is kept with its instant and read from /dev/vbus as records: u64 ns (CLOCK_MONOTONIC, host order),
 * u16 length, bytes. A read waits for the next record, so that "cat /dev/vbus" follows the bus; records that do not
 * fit into the megabyte of the log are counted in "lost". The display answers a read as the chip does: its status.
 *
 * absent=1   unplugs it: nobody acknowledges (-EREMOTEIO, as i2c-bcm2835 has it)
 * hang_ms=N  holds the clock line for N ms in each transfer; from 1000 on the adapter gives up (-ETIMEDOUT)
 * khz=N      lets a transfer take as long as on a bus of N kHz (9 clocks a byte); 0: no time at all
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define PANEL 0x3c
#define GIVES_UP_MS 1000
#define HEADER 10

static bool absent;
module_param(absent, bool, 0644);
static uint hang_ms;
module_param(hang_ms, uint, 0644);
static uint khz = 400;
module_param(khz, uint, 0644);
static ulong lost;
module_param(lost, ulong, 0444);

static struct kfifo records;
static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(arrived);

static void keep(const struct i2c_msg *m)
{
	u64 now = ktime_get_ns();
	u16 len = m->len;

	mutex_lock(&lock);
	if (kfifo_avail(&records) < len + HEADER) {
		lost++;
	} else {
		kfifo_in(&records, (u8 *)&now, sizeof(now));
		kfifo_in(&records, (u8 *)&len, sizeof(len));
		kfifo_in(&records, m->buf, len);
	}
	mutex_unlock(&lock);
	wake_up_interruptible(&arrived);
}

static void take_time(uint bytes)
{
	if (khz) {
		ulong us = (bytes + 1) * 9000UL / khz;

		usleep_range(us, us + 50);
	}
}

static int vbus_xfer(struct i2c_adapter *a, struct i2c_msg *m, int n)
{
	uint hang = READ_ONCE(hang_ms);
	int i;

	if (hang) {
		msleep(min_t(uint, hang, GIVES_UP_MS));
		if (hang >= GIVES_UP_MS)
			return -ETIMEDOUT;
	}
	for (i = 0; i < n; i++) {
		if (READ_ONCE(absent) || m[i].addr != PANEL)
			return -EREMOTEIO;
		take_time(m[i].len);
		if (m[i].flags & I2C_M_RD)
			memset(m[i].buf, 0, m[i].len);
		else
			keep(&m[i]);
	}
	return n;
}

static u32 vbus_func(struct i2c_adapter *a)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm vbus_algo = { .master_xfer = vbus_xfer, .functionality = vbus_func };
static struct i2c_adapter vbus_adapter = { .owner = THIS_MODULE, .name = "virtual panel bus", .algo = &vbus_algo, .nr = 1 };

static ssize_t vbus_read(struct file *f, char __user *to, size_t n, loff_t *o)
{
	unsigned int done = 0;
	int r;

	while (kfifo_is_empty(&records)) {
		if (f->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(arrived, !kfifo_is_empty(&records)))
			return -ERESTARTSYS;
	}
	mutex_lock(&lock);
	r = kfifo_to_user(&records, to, n, &done);
	mutex_unlock(&lock);
	return r ? r : done;
}

static const struct file_operations vbus_fops = { .owner = THIS_MODULE, .read = vbus_read };
static struct miscdevice vbus_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "vbus", .fops = &vbus_fops };

static int __init vbus_init(void)
{
	int r = kfifo_alloc(&records, 1 << 20, GFP_KERNEL);

	if (r)
		return r;
	r = i2c_add_numbered_adapter(&vbus_adapter);
	if (r)
		goto no_adapter;
	r = misc_register(&vbus_misc);
	if (r)
		goto no_device;
	return 0;

no_device:
	i2c_del_adapter(&vbus_adapter);
no_adapter:
	kfifo_free(&records);
	return r;
}

static void __exit vbus_exit(void)
{
	misc_deregister(&vbus_misc);
	i2c_del_adapter(&vbus_adapter);
	kfifo_free(&records);
}

module_init(vbus_init);
module_exit(vbus_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("virtual I2C bus with a display, for the rig's tests");
