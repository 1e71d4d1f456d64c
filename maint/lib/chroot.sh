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
  folder=$root/$1
  shift
  mountpoint -q "$folder" || mount "$@" "$folder"
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
  for mount in sys proc dev/pts dev; do
    if mountpoint -q "$root/$mount"; then
      umount "$root/$mount"
    fi
  done
}
