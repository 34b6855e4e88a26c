import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { formCopy } from '#client/admin/kit/copy.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { staffRoles } from '#shared/admin/staff.ts';
import { roleCopy, teamCopy } from './copy.ts';

export function useTeamFactors() {
  return adminApi.admin.secondFactor.team.useQuery(undefined, { refetchOnMount: 'always' });
}

/** Which roles need two-factor sign-in. A choice applies immediately. */
export function RequiredRoles() {
  const { data } = useTeamFactors();
  const change = adminApi.admin.secondFactor.requireFor.useMutation(
    withReport({ done: teamCopy.requiredChanged, failed: formCopy.failed, isOneLine: true }),
  );
  if (data === undefined) return null;
  const roles = change.isPending ? change.variables.roles : data.requiredRoles;
  return (
    <Group>
      <legend>{teamCopy.required}</legend>
      <p>{teamCopy.requiredNote}</p>
      {staffRoles.map((role) => (
        <Checkbox
          key={role}
          name={`second-factor-${role}`}
          label={roleCopy[role].name}
          checked={roles.includes(role)}
          onChange={({ target }) => {
            if (change.isPending) return;
            const others = roles.filter((other) => other !== role);
            change.mutate({ roles: target.checked ? [...others, role] : others });
          }}
        />
      ))}
    </Group>
  );
}

const Group = styled.fieldset`
  min-inline-size: 0;
  margin: 1.5rem 0 0;
  padding: 0;
  border: 0;

  & > legend {
    padding: 0;
    font-weight: 550;
  }
`;
