/* A library with a variable, for leaks.c.
   SPDX-License-Identifier: GPL-3.0-or-later */

void *volatile module_place;
