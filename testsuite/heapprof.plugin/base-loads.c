/* Functions that load the base of the counters in few places.
   SPDX-License-Identifier: GPL-3.0-or-later  */

extern void other (void);
extern long volatile sink;

#define RARE(condition) __builtin_expect_with_probability (condition, 0, 0.99)

/* Before the loop, and after the call.  */
void
rare_in_loop (long *p, long n)
{
  for (long i = 0; i < n; i++)
    {
      p[sink & 1023] = i;
      if (RARE (sink))
	other ();
    }
}

/* The same with two calls.  */
void
two_in_loop (long *p, long n)
{
  for (long i = 0; i < n; i++)
    {
      p[sink & 1023] = i;
      if (RARE (sink == 1))
	other ();
      p[sink & 1023] = i;
      if (RARE (sink == 2))
	other ();
    }
}

/* At the start, and after the call.  */
void
rare_call (long *p)
{
  p[sink] = 1;
  if (RARE (sink))
    other ();
  p[sink] = 2;
}

/* After the call.  */
void
each_time (long *p, long n)
{
  for (long i = 0; i < n; i++)
    {
      other ();
      p[sink & 1023] = i;
    }
}

/* Before the loop.  */
void
no_call (long *p, long n)
{
  for (long i = 0; i < n; i++)
    p[sink & 1023] = i;
}

/* Where it is used.  */
void
rare_use (long *p, long n)
{
  for (long i = 0; i < n; i++)
    {
      other ();
      if (RARE (sink))
	p[sink & 1023] = i;
    }
}

/* At the start and after the call, which is frequent.  */
void
frequent_call (long *p)
{
  p[sink] = 1;
  if (!RARE (sink))
    other ();
  p[sink] = 2;
}

/* At the start and after the copy, which takes registers.  */
void
copies (long *p, unsigned long n)
{
  char here[1024], there[1024];
  here[sink & 1023] = 1;
  p[sink] = 1;
  __builtin_memcpy (there, here, n);
  p[sink] = there[sink & 1023];
}

/* At the start: no function is called for this.  */
void
copies_few (long *p)
{
  char here[1024], there[1024];
  here[sink & 511] = 1;
  p[sink] = 1;
  __builtin_memcpy (there, here + (sink & 511), 24);
  p[sink] = there[sink & 15];
}
