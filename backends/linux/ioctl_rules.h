// Which ioctl(2) commands the broker has to see: those that type into a terminal, those that open
// one, and those that change a file although its descriptor is open for reading only.
#pragma once

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsmap.h>
#include <linux/fsverity.h>
#include <linux/msdos_fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace linux_backend {

/// Commands that are refused on every descriptor: they put input into a terminal, now or at the
/// next key. Source: ioctl_tty(2), ioctl_console(2).
inline constexpr std::array<std::uint32_t, 7> ioctl_refused = {
    TIOCSTI, TIOCLINUX,
    0x4b47,  // KDSKBENT
    0x4b49,  // KDSKBSENT
    0x4b4b,  // KDSKBDIACR
    0x4bfb,  // KDSKBDIACRUC
    0x4b4d,  // KDSETKEYCODE
};

/// Commands that the broker performs: they open something, which the floor does not grant.
inline constexpr std::array<std::uint32_t, 1> ioctl_served = {
    TIOCGPTPEER,  // the other end of a terminal's master
};

/// Type bytes (bits 8 to 15) of commands of file systems. What has one of them goes to the broker
/// unless it is in `ioctl_allowed`: a command that we do not know may change the file. Source:
/// Documentation/userspace-api/ioctl/ioctl-number.rst.
inline constexpr std::array<std::uint32_t, 8> ioctl_types = {
    'f',   // ext4 and all: flags, versions, encryption, verity
    'X',   // XFS and all: extended flags, project ids, freezing
    'v',   // generation numbers
    'r',   // FAT attributes
    0x94,  // btrfs, cloning, labels
    0x97,  // ceph
    0xbc,  // bcachefs
    0xf5,  // f2fs
};

/// Commands of these types that only read, or that need a descriptor open for writing for what they
/// change.
inline constexpr std::array<std::uint32_t, 34> ioctl_allowed = {
    FS_IOC_GETFLAGS,
    FS_IOC_GETVERSION,
    FS_IOC_FIEMAP,
    FS_IOC_FSGETXATTR,
    FS_IOC_GETFSLABEL,
    FS_IOC_GETFSMAP,
    FS_IOC_MEASURE_VERITY,
    FS_IOC_READ_VERITY_METADATA,
    FS_IOC_GET_ENCRYPTION_POLICY,
    FS_IOC_GET_ENCRYPTION_POLICY_EX,
    FS_IOC_GET_ENCRYPTION_KEY_STATUS,
    FS_IOC_GET_ENCRYPTION_NONCE,
    FICLONE,
    FICLONERANGE,
    FIDEDUPERANGE,  // changes no content
    FAT_IOCTL_GET_ATTRIBUTES,
    FAT_IOCTL_GET_VOLUME_ID,
    VFAT_IOCTL_READDIR_BOTH,
    VFAT_IOCTL_READDIR_SHORT,
    _IOR('f', 3, long),                   // EXT4_IOC_GETVERSION
    _IOWR('f', 17, std::uint8_t[104]),    // PROCMAP_QUERY, on /proc/<pid>/maps
    _IOR('X', 30, std::uint32_t[3]),      // XFS_IOC_DIOINFO
    _IOR('X', 126, std::uint8_t[256]),    // XFS_IOC_FSGEOMETRY
    _IOR('X', 124, std::uint8_t[112]),    // XFS_IOC_FSGEOMETRY_V1
    _IOWR('X', 56, std::uint8_t[48]),     // XFS_IOC_GETBMAPX
    _IOR(0x94, 25, std::uint64_t),        // BTRFS_IOC_SUBVOL_GETFLAGS
    _IOR(0x94, 31, std::uint8_t[1024]),   // BTRFS_IOC_FS_INFO
    _IOWR(0x94, 18, std::uint8_t[4096]),  // BTRFS_IOC_INO_LOOKUP
    _IOR(0x94, 57, std::uint8_t[24]),     // BTRFS_IOC_GET_FEATURES
    _IOR(0x94, 60, std::uint8_t[504]),    // BTRFS_IOC_GET_SUBVOL_INFO
    _IOWR(0x94, 61, std::uint8_t[4096]),  // BTRFS_IOC_GET_SUBVOL_ROOTREF
    _IOWR(0x94, 62, std::uint8_t[4096]),  // BTRFS_IOC_INO_LOOKUP_USER
    _IOR(0xf5, 12, std::uint32_t),  // F2FS_IOC_GET_FEATURES, asked by sqlite for each database
    _IOR(0xf5, 14, std::uint32_t),  // F2FS_IOC_GET_PIN_FILE
};

/// What the filter does, for tests and for the handler: whether ioctl(2) with `command` goes to the
/// broker.
constexpr bool ioctl_needs_broker(std::uint32_t command) {
    const auto has = [command](const auto& list) {
        return std::find(list.begin(), list.end(), command) != list.end();
    };
    if (has(ioctl_refused) || has(ioctl_served)) return true;
    if (has(ioctl_allowed)) return false;
    return std::find(ioctl_types.begin(), ioctl_types.end(), command >> 8 & 0xff) !=
           ioctl_types.end();
}

}  // namespace linux_backend
