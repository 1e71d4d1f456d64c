// Objects of classes with multiple and virtual bases.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

struct shape
{
  virtual ~shape () = default;
  virtual double area () const = 0;
  virtual std::unique_ptr<shape> clone () const = 0;
};

struct named
{
  std::string name = "a thing with a name that needs memory";
  virtual ~named () = default;
  virtual std::size_t length () const { return name.size (); }
};

struct square : shape, named
{
  double side;

  explicit square (double given) : side (given) {}
  double area () const override { return side * side; }
  std::unique_ptr<shape>
  clone () const override
  {
    return std::make_unique<square> (*this);
  }
};

struct disc : virtual shape, virtual named
{
  double radius;

  explicit disc (double given) : radius (given) {}
  double area () const override { return 3 * radius * radius; }
  std::size_t length () const override { return 2 * named::length (); }
  std::unique_ptr<shape>
  clone () const override
  {
    return std::make_unique<disc> (*this);
  }
};

struct ring final : disc
{
  std::vector<double> holes = std::vector<double> (20, 0.5);

  using disc::disc;
  double area () const override { return disc::area () - holes[7]; }
  std::unique_ptr<shape>
  clone () const override
  {
    return std::make_unique<ring> (*this);
  }
};

int
main ()
{
  std::vector<std::unique_ptr<shape>> shapes;
  for (int i = 0; i < 300; i++)
    if (i % 3 == 0)
      shapes.push_back (std::make_unique<square> (i));
    else if (i % 3 == 1)
      shapes.push_back (std::make_unique<disc> (i));
    else
      shapes.push_back (std::make_unique<ring> (i));
  for (std::size_t i = 0; i < 100; i++)
    shapes.push_back (shapes[i * 3 % 300]->clone ());
  double area = 0;
  std::size_t length = 0, rings = 0, squares = 0;
  for (const auto &each : shapes)
    {
      area += each->area ();
      if (const named *thing = dynamic_cast<const named *> (each.get ()))
	length += thing->length ();
      rings += dynamic_cast<const ring *> (each.get ()) != nullptr;
      squares += typeid (*each) == typeid (square);
    }
  std::printf ("%.1f %zu %zu %zu\n", area, length, rings, squares);
  return 0;
}
