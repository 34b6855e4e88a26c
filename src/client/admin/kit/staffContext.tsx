import { createContext, useContext } from 'react';
import type { StaffMember } from '#shared/admin/staff.ts';

const StaffContext = createContext<StaffMember | null>(null);

/** Tells the dashboard who is signed in. */
export const StaffProvider = StaffContext.Provider;

/** Who is signed in; what they may do is judged by the server, this decides what is drawn. */
export function useStaff(): StaffMember {
  const member = useContext(StaffContext);
  if (member === null) throw new Error('useStaff needs the gate above it');
  return member;
}
