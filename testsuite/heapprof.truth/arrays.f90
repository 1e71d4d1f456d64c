! Allocatable arrays of Fortran: filled, summed, and copied element by element.
! SPDX-License-Identifier: GPL-3.0-or-later
! dhat 8

module work
  implicit none
contains
  subroutine fill (a, n)
    integer, intent (in) :: n
    real (8), intent (out) :: a(n)
    integer, volatile :: i
    do i = 1, n
      a(i) = i                        ! 1
    end do
  end subroutine fill

  function total (a, n) result (s)
    integer, intent (in) :: n
    real (8), intent (in) :: a(n)
    real (8) :: s
    integer :: i
    s = 0
    do i = 1, n
      s = s + a(i)                    ! 1
    end do
  end function total

  subroutine double_into (b, a, n)
    integer, intent (in) :: n
    real (8), intent (out) :: b(n)
    real (8), intent (in) :: a(n)
    integer :: i
    do i = 1, n
      b(i) = 2 * a(i)                 ! a 1, b 1
    end do
  end subroutine double_into
end module work

program arrays
  use work
  implicit none
  integer, parameter :: n = 500
  real (8), allocatable :: a(:), b(:)
  real (8) :: s
  allocate (a(n)) ! site: a
  allocate (b(n)) ! site: b
  call fill (a, n)
  call double_into (b, a, n)
  s = total (a, n) + total (b, n)
  deallocate (a)
  deallocate (b)
  print '(a,i0,a,i0)', 'site a 1 ', n * 8, ' ', n + n + n
  print '(a,i0,a,i0)', 'site b 1 ', n * 8, ' ', n + n
  if (s <= 0) stop 1
end program arrays
