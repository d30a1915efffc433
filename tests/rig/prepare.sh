#!/usr/bin/env bash
# Prepares what the rig boots from: Debian's kernel, two modules built for it, an initramfs. Needs root and Debian 12.
#
#   prepare.sh CACHE    leaves CACHE/boot/{vmlinuz,initramfs,version}
#
# What is there already is not fetched or built again. Exit 3 with one sentence on standard error: it cannot be had here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$1
export DEBIAN_FRONTEND=noninteractive PATH=$PATH:/usr/sbin:/sbin

cannot() {
    echo "$*" >&2
    exit 3
}

step() {
    local name=$1 began=$SECONDS
    shift
    "$@"
    echo "rig: $name: $((SECONDS - began)) s"
}

install_packages() {
    local log
    log=$(mktemp)
    apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 ||
        { tail -n 5 "$log" >&2; cannot "apt cannot install $*"; }
    rm -f "$log"
}

tools() {
    local wanted=() tool
    for tool in qemu-system-x86_64=qemu-system-x86 busybox=busybox-static cpio=cpio modprobe=kmod xz=xz-utils \
        make=make gcc=gcc aplay=alsa-utils mkfs.ext4=e2fsprogs dpkg-deb=dpkg; do
        command -v "${tool%%=*}" >/dev/null || wanted+=("${tool##*=}")
    done
    # Its static busybox is what runs before any library is there; the other package has the same command.
    dpkg-query -W -f '${Status}' busybox-static 2>/dev/null | grep -q 'ok installed' || wanted+=(busybox-static)
    if [ "${#wanted[@]}" -gt 0 ]; then
        apt-get update -qq || echo "rig: apt-get update failed; trying with the lists that are here" >&2
        install_packages "${wanted[@]}"
    fi
}

kernel_package() { apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image/{print $2; exit}'; }

kernel() {
    local package=$1 version=$2
    if [ ! -d "$build/kernel" ]; then
        (cd "$build" && apt-get download -qq "$package" >/dev/null 2>&1) || cannot "apt cannot download $package"
        dpkg-deb -x "$build"/linux-image-*.deb "$build/kernel.part"
        rm "$build"/linux-image-*.deb
        depmod -b "$build/kernel.part" "$version"
        mv "$build/kernel.part" "$build/kernel"
    fi
    # The headers fit the image only in the same release.
    install_packages "linux-headers-$version" linux-source-6.1
}

modules() {
    local version=$1 sources=$build/modules stamp
    stamp="$version $(sha256sum <"$here/vbus.c")"
    if [ "$(cat "$build/modules.stamp" 2>/dev/null)" = "$stamp" ]; then return; fi
    rm -rf "$sources"
    mkdir -p "$sources"
    # Debian's build leaves gpio-sim out; its two files come from the package of the kernel's own sources.
    tar -xJf /usr/src/linux-source-6.1.tar.xz -C "$sources" --strip-components=3 \
        linux-source-6.1/drivers/gpio/gpio-sim.c linux-source-6.1/drivers/gpio/gpiolib.h
    tar -xJf /usr/src/linux-source-6.1.tar.xz -C "$sources" --strip-components=3 linux-source-6.1/kernel/irq/irq_sim.c
    # The one call in there that a module may not make; this one does the same for these interrupts.
    sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' "$sources/irq_sim.c"
    cp "$here/vbus.c" "$sources/"
    printf 'obj-m := gpiosim.o vbus.o\ngpiosim-y := gpio-sim.o irq_sim.o\n' >"$sources/Makefile"
    make -s -C "/usr/src/linux-headers-$version" M="$sources" modules >"$build/modules.log" 2>&1 ||
        { tail -n 15 "$build/modules.log" >&2; cannot "the modules cannot be built, see $build/modules.log"; }
    echo "$stamp" >"$build/modules.stamp"
}

initramfs() {
    local version=$1 root=$build/root count=0 name module
    rm -rf "$root"
    mkdir -p "$root"/{bin,m,proc,sys,dev,new,lower,up}
    cp /bin/busybox "$root/bin/"
    gcc -O2 -Wall -Wextra -Werror -static -o "$root/rigtool" "$here/guest/rigtool.c"
    for name in 9p 9pnet_virtio virtio_pci virtio_blk ext4 configfs i2c-dev snd-aloop softdog overlay; do
        modprobe -d "$build/kernel" -S "$version" --show-depends "$name" | awk '/^insmod/{print $2}'
    done | awk '!seen[$0]++' >"$build/modules.list"
    printf '%s\n' "$build"/modules/{gpiosim,vbus}.ko >>"$build/modules.list"
    while read -r module; do
        cp "$module" "$root/m/$(printf '%02d' "$count")-$(basename "$module")"
        count=$((count + 1))
    done <"$build/modules.list"
    install -m 755 "$here/init" "$root/init"
    (cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$build/initramfs.part"
    cp "$build/kernel/boot/vmlinuz-$version" "$build/vmlinuz"
    mv "$build/initramfs.part" "$build/initramfs"
}

[ "$(id -u)" = 0 ] || cannot "the rig installs packages and lends its root folder to the board: run it as root"
command -v apt-get >/dev/null || cannot "no apt-get here: the rig boots Debian 12's own kernel"
[ "$(dpkg --print-architecture)" = amd64 ] || cannot "the rig is made for amd64, this is $(dpkg --print-architecture)"

build=$cache/boot
mkdir -p "$build"
exec 9>"$cache/lock"
flock 9

ours=$(cat "$here"/{vbus.c,init,prepare.sh,guest/rigtool.c} | sha256sum | cut -d' ' -f1)
if [ -f "$build/initramfs" ] && [ -f "$build/version" ] && [ "$(cut -d' ' -f2 "$build/version")" = "$ours" ] &&
    command -v qemu-system-x86_64 >/dev/null && command -v mkfs.ext4 >/dev/null && command -v aplay >/dev/null; then
    exit 0
fi

step "tools" tools
package=$(kernel_package)
if [ -z "$package" ]; then
    apt-get update -qq || true
    package=$(kernel_package)
fi
[ -n "$package" ] || cannot "apt knows no linux-image-amd64"
version=${package#linux-image-}
if [ -f "$build/version" ] && [ "$(cut -d' ' -f1 "$build/version")" != "$version" ]; then rm -rf "$build/kernel"; fi
step "kernel $version" kernel "$package" "$version"
step "modules" modules "$version"
step "initramfs" initramfs "$version"
echo "$version $ours" >"$build/version"
