! Fortran: a list of derived types, arrays, components and a coarray.
! SPDX-License-Identifier: GPL-3.0-or-later
!
! Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
! and accesses its profile must have.
! A star is for accesses of the compiler's own, to the descriptors of components.
! With -fcoarray=single, GCC 12 adds 8 bytes to a component that is a pointer, GCC 16 none.
! What is read at an index that the compiler does not know was written before.

module lists
  implicit none
  type node
    integer (8) :: value
    type (node), pointer :: next
  end type node
  type item
    real (8), allocatable :: parts(:)
  end type item
  type (node), pointer :: head
contains
  subroutine push (value)
    integer (8), intent (in) :: value
    type (node), pointer :: added
    allocate (added) ! site: nodes lists.node
    added%value = value
    added%next => head
    head => added
  end subroutine push

  subroutine first
    integer (8) :: i
    do i = 1, 30
      call push (i)
    end do
  end subroutine first

  subroutine second
    integer (8) :: i
    do i = 31, 100
      call push (i)
    end do
  end subroutine second
end module lists

program list
  use lists
  implicit none
  type (node), pointer :: rest
  real (8), allocatable :: values(:), shared(:)[:]
  type (item), allocatable :: items(:)
  integer (8) :: total
  real (8) :: sum
  integer :: i

  head => null ()
  call first
  call second
  total = 0
  rest => head
  do while (associated (rest))
    total = total + rest%value
    rest => rest%next
  end do
  do while (associated (head))
    rest => head%next
    deallocate (head)
    head => rest
  end do

  allocate (values(100)) ! site: values real(kind=8)
  do i = 1, 100
    values(i) = i
  end do
  sum = 0
  do i = 1, 100
    sum = sum + values(i)
  end do
  deallocate (values)

  allocate (shared(50)[*]) ! site: shared real(kind=8)
  do i = 1, 50
    shared(i) = i
  end do
  sum = sum + shared(mod (total, 50_8) + 1)
  deallocate (shared)

  allocate (items(2)) ! site: items lists.item
  do i = 1, 2
    allocate (items(i)%parts(10)) ! site: parts real(kind=8)
  end do
  do i = 1, 10
    items(2)%parts(i) = i
  end do
  sum = sum + items(2)%parts(mod (total, 10_8) + 1)

  if (total == 5050 .and. sum == 5052) then
    print '(a, i0, a)', 'site nodes 100 ', 100 * sizeof (rest), ' 500'
    print '(a)', 'site values 1 800 200'
    print '(a)', 'site shared 1 400 51'
    print '(a)', 'site items 1 128 *'
    print '(a)', 'site parts 2 160 11'
  end if
end program list
