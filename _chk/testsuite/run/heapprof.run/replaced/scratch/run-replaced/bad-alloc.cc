
#include <new>
int main ()
{
  const unsigned long volatile huge = 1ul << 62;
  try { return ::operator new (huge) != nullptr; }
  catch (const std::bad_alloc &) { return 0; }
}
