// C++20: a module whose functions allocate.
// SPDX-License-Identifier: GPL-3.0-or-later

export module lists;

export struct Node
{
  long value;
  Node *next;
};

export [[gnu::noinline]] Node *
push (Node *head, long value)
{
  return new Node{ value, head }; // site: nodes
}

export template <typename T>
[[gnu::noinline]] T *
copy_of (const T &original)
{
  return new T (original); // site: copies
}
