# What the commands of a run share; sourced inside the board.
set -eu

mkdir -p /run/kaderuhr /run/lgpio /run/log
export RUNTIME_DIRECTORY=/run/kaderuhr LG_WD=/run/lgpio PYTHONPATH=/rig/libs/site:/rig/code PYTHONDONTWRITEBYTECODE=1
export PYTHON="${PYTHON:?}"
BOARD=${BOARD:-/rig/code/tests/rig/board.toml}
RULEBOOK=${RULEBOOK:-/rig/code/tests/rig/quick.toml}
SERVICE=

# Logs are written in the board's memory and brought out at the end, so that writing them costs the board little.
observe() {
    rigtool link /run/kaderuhr/kaderuhr.sock /run/log/link &
    cat /dev/vbus >/run/log/bus &
    # Each write to a serial line with its instant and its first 32 bytes.
    echo mono >/sys/kernel/tracing/trace_clock
    echo 'p:hall uart_write count=%dx:u32 b0=+0(%si):x64 b1=+8(%si):x64 b2=+16(%si):x64 b3=+24(%si):x64' \
        >/sys/kernel/tracing/kprobe_events
    echo 1 >/sys/kernel/tracing/events/kprobes/hall/enable
}

# Records what the sound card plays, from its other end, in pieces of 5 ms.
listen() {
    arecord -q -D hw:Loopback,1,0 -t raw -f S16_LE -r 48000 -c 2 --period-size=240 --buffer-size=48000 2>/run/log/arecord |
        rigtool stamp /run/log/sound &
    # The first sound of a boot waits for the program to be read; the figures are about those after it.
    aplay -q -D plughw:CARD=Loopback /rig/code/drivers/sounds/silence.wav
    sleep 1
}

start_service() {
    rigtool exec /run/log/exec "$PYTHON" -m firmware.cli run --board "$BOARD" --rulebook "$RULEBOOK" "$@" \
        >>/run/log/service 2>&1 &
    SERVICE=$!
    # The first message after the inputs are open.
    for _ in $(seq 600); do
        if grep -q '"kind":"board"' /run/log/link 2>/dev/null; then return 0; fi
        kill -0 "$SERVICE" 2>/dev/null || { cat /run/log/service; return 1; }
        sleep 0.1
    done
    echo "the service has not armed its inputs after 60 s"
    return 1
}

stop_service() {
    kill -TERM "$SERVICE"
    wait "$SERVICE" && status=0 || status=$?
    echo "service ended with $status"
}

# The journal's lines as text, one a line, of the last match.
journal() {
    "$PYTHON" -c '
import sqlite3
db = sqlite3.connect("file:/var/lib/kaderuhr/journal.sqlite3?mode=ro", uri=True)
print(*(row[0] for row in db.execute("SELECT text FROM line ORDER BY id")), sep="\n")'
}

bring_out() {
    cp /sys/kernel/tracing/trace /run/log/trace
    cat /sys/module/vbus/parameters/lost >/run/log/lost
    cp /run/log/* /out/
    if [ -f /var/lib/kaderuhr/journal.sqlite3 ]; then journal >/out/journal; fi
}

# act NAME COMMAND...: do something to a device, and note when.
act() {
    local name=$1
    shift
    "$@"
    echo "$(rigtool now) $name" >>/run/log/actions
}
put() { printf '%s' "$1" >"$2"; }
oled() { put "$2" "/sys/module/vbus/parameters/$1"; }
sound_card() { put snd_aloop.0 "/sys/bus/platform/drivers/snd_aloop/$1"; }
uart() { put "$UART" "/sys/bus/pnp/drivers/serial/$1"; }
UART=$(basename "$(readlink -f /sys/class/tty/ttyS1/device)")

# snap NAME: what the service has cost so far.
snap() {
    {
        rigtool now
        cat "/proc/$SERVICE/stat"
        grep VmRSS "/proc/$SERVICE/status"
        grep -h voluntary_ctxt "/proc/$SERVICE/task/"*/status
    } >"/out/snap-$1"
}
