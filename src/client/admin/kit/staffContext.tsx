import { createContext, useContext } from 'react';
import type { StaffMember } from '#shared/admin/staff.ts';

const StaffContext = createContext<StaffMember | null>(null);

export const StaffProvider = StaffContext.Provider;

const SignOutContext = createContext<() => void>(() => undefined);

export const SignOutProvider = SignOutContext.Provider;

/** Ends the session and shows the sign-in page. */
export function useSignOut(): () => void {
  return useContext(SignOutContext);
}

/** The signed-in member. It decides only what is rendered: the server checks each request. */
export function useStaff(): StaffMember {
  const member = useContext(StaffContext);
  if (member === null) throw new Error('useStaff needs the gate above it');
  return member;
}
