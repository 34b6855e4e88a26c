import { z } from 'zod';
import { type StaffRole, staffRoles } from '#shared/admin/staff.ts';
import { commaList, siteUrl } from './kinds.ts';

/** `staff-owners=owner,staff=viewer`: values of the claim and the roles that they give. */
const roleList = commaList.transform((pairs, ctx): Map<string, StaffRole> => {
  const roles = new Map<string, StaffRole>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const [value, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const role = staffRoles.find((known) => known === name);
    if (at > 0 && role !== undefined) roles.set(value, role);
    else
      ctx.addIssue({ code: 'custom', message: `"${pair}" is not a value and a role, such as staff=viewer` });
  }
  return roles;
});

export const oidcVariables = {
  OIDC_ISSUER: siteUrl.optional(),
  OIDC_CLIENT_ID: z.string().trim().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(8).optional(),
  OIDC_ROLE_CLAIM: z.string().trim().min(1).optional(),
  OIDC_ROLES: roleList.optional(),
};

const values = z.object(oidcVariables);
type OidcVariables = z.output<typeof values>;

/** The identity provider of single sign-on. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Null: accounts keep the role that an owner gave them. */
  roles: { claim: string; byValue: ReadonlyMap<string, StaffRole> } | null;
}

export function oidcFaults(given: OidcVariables): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = given;
  const set = [issuer, id, secret].filter((value) => value !== undefined).length;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: roles } = given;
  return [
    ...(set === 0 || set === 3
      ? []
      : ['OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: set all of them or none']),
    ...((claim === undefined) === (roles === undefined)
      ? []
      : ['OIDC_ROLE_CLAIM, OIDC_ROLES: set both or neither']),
  ];
}

export function getOidc(given: OidcVariables): OidcConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: byValue } = given;
  const roles = claim === undefined || byValue === undefined ? null : { claim, byValue };
  return { issuer, clientId, clientSecret, roles };
}
