! The part of mixed.adb that is in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later

subroutine mixed_fill (values, n) bind (c)
  use iso_c_binding
  implicit none
  integer (c_int), value :: n
  real (c_double), intent (out) :: values(n)
  integer :: i
  do i = 1, n
    values(i) = i
  end do
end subroutine mixed_fill
