// Go: a list in C's memory, and a slice in Go's own heap, whose blocks are not seen.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
// and accesses its profile must have.

package main

import "unsafe"

//extern malloc
func c_malloc(bytes uintptr) unsafe.Pointer

//extern free
func c_free(block unsafe.Pointer)

//extern puts
func c_puts(text *byte) int32

type node struct {
	value int
	next  *node
}

func push(head *node, value int) *node {
	added := (*node)(c_malloc(unsafe.Sizeof(node{}))) // site: nodes main.node
	added.value = value
	added.next = head
	return added
}

func first(head *node) *node {
	for i := 1; i <= 30; i++ {
		head = push(head, i)
	}
	return head
}

func second(head *node) *node {
	for i := 31; i <= 100; i++ {
		head = push(head, i)
	}
	return head
}

func main() {
	head := second(first(nil))
	sum := 0
	for rest := head; rest != nil; rest = rest.next {
		sum += rest.value
	}
	for head != nil {
		rest := head.next
		c_free(unsafe.Pointer(head))
		head = rest
	}
	values := make([]int, 100000)
	for i := range values {
		values[i] = 1
		sum += values[i]
	}
	if sum == 105050 {
		text := []byte("site nodes 100 1600 500\x00")
		c_puts(&text[0])
	}
}
