// Rust: a list, in the subset that gccrs compiles.  It has no standard library.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
// and accesses its profile must have.
//   -O2 nodes 398: the two loads after the stores of the last block are left out.

#![feature(no_core)]
#![no_core]
#![feature(lang_items)]

#[lang = "sized"]
pub trait Sized {}
#[lang = "copy"]
pub trait Copy {}

extern "C" {
    fn malloc(bytes: usize) -> *mut u8;
    fn free(block: *mut u8);
    fn puts(text: *const i8) -> i32;
}

struct Node {
    value: i64,
    next: usize,
}

fn push(head: *mut Node, value: i64) -> *mut Node {
    unsafe {
        let added = malloc(16) as *mut Node; // site: nodes
        (*added).value = value;
        (*added).next = head as usize;
        added
    }
}

fn first(head: *mut Node) -> *mut Node {
    let mut last = head;
    let mut i = 1i64;
    while i <= 30 {
        last = push(last, i);
        i += 1;
    }
    last
}

fn second(head: *mut Node) -> *mut Node {
    let mut last = head;
    let mut i = 31i64;
    while i <= 100 {
        last = push(last, i);
        i += 1;
    }
    last
}

fn main() -> i32 {
    let mut head = second(first(0usize as *mut Node));
    let mut total = 0i64;
    while head as usize != 0 {
        unsafe {
            let rest = (*head).next as *mut Node;
            total += (*head).value;
            free(head as *mut u8);
            head = rest;
        }
    }
    if total == 5050 {
        unsafe {
            puts("site nodes 100 1600 400\0" as *const str as *const i8);
        }
    }
    0
}
