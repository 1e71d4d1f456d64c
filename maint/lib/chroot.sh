# Chroots of Debian suites: what the scripts that build and test there share.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
#
# The script that includes this has set $root, the chroot's folder, and $log, the file
# for all output; say and die print a message.

# Run a command; if it fails, show the end of its output.
logged ()
{
  "$@" >> "$log" 2>&1 || {
    tail -n 30 "$log" >&2
    die "failed: $*; see $log"
  }
}

# The start of a command in the chroot, which has an environment of its own.
run_env='/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
  LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive'

run_inside ()
{
  # shellcheck disable=SC2086 # a list of words
  chroot "$root" $run_env "$@"
}

inside ()
{
  logged run_inside "$@"
}

# Create a minimal chroot of SUITE in FOLDER, unless it is there: create_root SUITE FOLDER.
create_root ()
{
  test ! -x "$2/usr/bin/apt-get" || return 0
  say "creating a chroot of $1 in $2"
  logged debootstrap --variant=minbase "$1" "$2"
}

# Mount FOLDER of the chroot, unless a run that was killed left it mounted.
mount_in ()
{
  mounted=$root/$1
  shift
  mountpoint -q "$mounted" || mount "$@" "$mounted"
}

# Make the chroot ready for commands.
enter_root ()
{
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Lists of unstable and testing expire after a week; a mirror may keep them longer.
  echo 'Acquire::Check-Valid-Until "false";' \
    > "$root/etc/apt/apt.conf.d/heapprof-old-lists"
  mount_in proc -t proc proc
  mount_in sys -t sysfs sys	# MPI asks it for processors
  mount_in dev --bind /dev
  mount_in dev/pts --bind /dev/pts
}

# Unmount what enter_root mounted.
leave_root ()
{
  for mounted in sys proc dev/pts dev; do
    if mountpoint -q "$root/$mounted"; then
      # After a signal, a process that was stopped may still be there.
      umount "$root/$mounted" 2>/dev/null || umount -l "$root/$mounted"
    fi
  done
}

# Run a command in the chroot, in which qemu, installed there, runs programs of
# ARCHITECTURE: emulate ARCHITECTURE COMMAND...  Needs Linux 6.7, where this is so only
# for the command, in a namespace in which root is the only user.
emulate ()
{
  case $1 in
    arm64) emulator=qemu-aarch64 machine=b7 ;;
    riscv64) emulator=qemu-riscv64 machine=f3 ;;
    *) die "no emulator for $1 is known" ;;
  esac
  shift
  # The first 20 bytes of an ELF file, and which bits of them count.
  zeros='\x00\x00\x00\x00\x00\x00\x00\x00'
  head="\\x7fELF\\x02\\x01\\x01\\x00$zeros\\x02\\x00\\x$machine\\x00"
  ones='\xff\xff\xff\xff\xff\xff\xff'
  mask="$ones\\x00$ones\\xff\\xfe\\xff\\xff\\xff"
  # shellcheck disable=SC2016,SC2086 # expanded by the inner shell; a list of words
  logged unshare --map-root-user --mount sh -c '
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    printf "%s" "$1" > /proc/sys/fs/binfmt_misc/register
    shift
    exec "$@"' sh ":heapprof:M::$head:$mask:$root/usr/bin/$emulator:F" \
    chroot "$root" $run_env "$@"
}
