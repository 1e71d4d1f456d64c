// Allocations of unusual types, in templates, lambdas, constructors and
// operators.  This must compile.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <tuple>

namespace { struct in_no_name { int a; virtual ~in_no_name () {} }; }
inline namespace version { struct in_inline { int x; }; }
template<class T, int N> struct of_template
{
  struct inner { T *p; of_template *outer; };
  T t[N];
  inner *make () { return new inner (); }
  template<class U> auto local (U u)
  {
    struct both { U u; T t; };
    return new both{ u, T () };
  }
};
struct base { long a; };
struct left : virtual base { int b; };
struct right : virtual base { int c; };
struct diamond : left, right { char e; };
struct empty {};
struct of_empty : empty { empty m; [[no_unique_address]] empty n; int x; };
struct to_members { void (diamond::*f) (); int diamond::*g; };
struct bits { int a : 1, : 2; enum class kind : char { X } e : 3; bool b : 1; };
struct references { int &r; int &&s; const int c; };
struct alignas (128) aligned { char c; };
struct flexible { int n; char t[]; };
struct incomplete;
enum class opaque;
union of_class { int a; std::string s; of_class () {} ~of_class () {} };
struct abstract { virtual void f () = 0; virtual ~abstract () = default; };
struct own_operators : abstract
{
  void f () override {}
  void *operator new (std::size_t n) { return std::malloc (n); }
  void operator delete (void *p) { std::free (p); }
};
struct converted
{
  operator void * () const { return std::malloc (3); }
  template<class T> operator T * () const { return (T *) malloc (sizeof (T)); }
};
struct tries
{
  int *p;
  tries () : p (new int[3]{ 1, 2, 3 }) {}
  explicit tries (int n) try : p (new int[n]) {} catch (...) { p = nullptr; }
  ~tries () { delete[] p; }
};
struct inherits : tries { using tries::tries; };
typedef int function (int);
struct of_functions { function *f; function diamond::*g; decltype (nullptr) n; };

thread_local std::map<std::string, std::unique_ptr<in_no_name>> mapped;

template<class... A> auto
make_tuple_of (A... a)
{
  return new std::tuple<A...> (a...);
}

static auto lambda = [] (auto x) {
  auto p = new decltype (x) (x);
  return [p] { struct deep { decltype (p) z; }; return new deep{ p }; } ();
};

incomplete *make_incomplete () { return static_cast<incomplete *> (malloc (3)); }
opaque *make_opaque () { return (opaque *) malloc (4); }
decltype (nullptr) *make_null () { return new decltype (nullptr); }
int diamond::**make_member () { return new (int diamond::*); }
void (diamond::**make_method ()) () { return new (void (diamond::*) ()); }

int
variable (int n)
{
  struct local { int q; ~local () {} };
  auto p = new int[n][3][4]();
  auto a = new local[n];
  const int r = p[0][0][0];
  delete[] a;
  delete[] p;
  return r;
}

int
main ()
{
  of_template<int, 3> of;
  int r = 0;
  char room[64];
  delete of.make ();
  delete of.local (std::string ("x"));
  delete lambda (3);
  delete make_tuple_of (1, 2.0, std::string ("a"));
  delete (abstract *) new own_operators;
  delete new references{ r, 3, 4 };
  delete new (std::nothrow) to_members;
  (new (room) diamond)->~diamond ();
  mapped["a"].reset (new in_no_name);
  of_class *u = new of_class;
  struct { int a; } *without_name = new std::remove_pointer_t<
    decltype (without_name)>;
  flexible *f = (flexible *) malloc (10);
  diamond *d = converted ();
  void *v = converted ();
  tries t;
  inherits i (4);
  new aligned, new of_empty, new bits, new of_functions, new in_inline;
  free (f);
  free (d);
  free (v);
  delete without_name;
  delete u;
  throw std::unique_ptr<in_no_name> (new in_no_name);
}
