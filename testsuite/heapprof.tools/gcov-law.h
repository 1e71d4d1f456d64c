/* SPDX-License-Identifier: GPL-3.0-or-later  */

#ifdef __cplusplus
template <typename T> struct accumulator
{
  T value = T ();
  void add (T x) { value = value > 1000000 ? x : static_cast<T> (value + x); }
};

extern "C" {
#endif

long law_work (long n);
long law_twice (long n);
long law_never (long n);

#ifdef __cplusplus
}
#endif
