import { styled } from 'styled-components';
import { SetupList } from '#client/admin/kit/SetupList.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { token } from '#client/theme/tokens.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { helpCopy as copy, shortcutGroups } from '#shared/admin/copy.ts';
import { setupCopy } from '#shared/admin/setup.ts';
import { includesRole } from '#shared/admin/staff.ts';

interface HelpProps {
  isOpen: boolean;
  onClose: () => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** The shortcuts by group, what is left to set up, and what can't be undone. */
export function Help({ isOpen, onClose, isOn, onSwitch }: HelpProps) {
  const { role } = useStaff();
  const setup = adminApi.admin.setup.get.useQuery(undefined, { enabled: isOpen }).data;
  return (
    <Dialog open={isOpen} onClose={onClose} title={copy.title}>
      <Part>
        <Title>{copy.shortcuts}</Title>
        {shortcutGroups.map(({ label, keys }) => (
          <div key={label}>
            <GroupTitle>{label}</GroupTitle>
            <Keys>
              {keys.map(([key, effect]) => (
                <div key={key}>
                  <dt>
                    <Key>{key}</Key>
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </Keys>
          </div>
        ))}
        <Checkbox
          name="shortcuts"
          label={copy.toggle}
          checked={isOn}
          onChange={(event) => onSwitch(event.target.checked)}
        />
        {setup === undefined ? null : (
          <>
            <Title>{setupCopy.title}</Title>
            <SetupList state={setup} canChange={includesRole(role, 'manager')} />
          </>
        )}
        <Title>{copy.final}</Title>
        <Facts>
          {copy.finalActs.map((act) => (
            <li key={act}>{act}</li>
          ))}
        </Facts>
      </Part>
    </Dialog>
  );
}

const Part = styled.div`
  display: grid;
  gap: 0.75rem;
  font-size: 0.9375rem;
  line-height: 1.45;
`;

const Title = styled.h3`
  font-size: 1.125rem;

  :not(:first-child) + & {
    padding-block-start: 0.75rem;
  }
`;

const GroupTitle = styled.h4`
  margin-block-end: 0.25rem;
  color: ${token.muted};
  font-family: inherit;
  font-size: 0.8125rem;
  font-weight: 600;
  letter-spacing: 0;
`;

const Keys = styled.dl`
  display: grid;
  gap: 0.375rem;

  & > div {
    display: grid;
    grid-template-columns: 5rem 1fr;
    align-items: center;
  }

  & dd {
    margin: 0;
  }
`;

const Key = styled.kbd`
  display: inline-block;
  min-inline-size: 2rem;
  padding: 0.125rem 0.5rem;
  border: 1px solid ${token.inputLine};
  border-radius: 4px;
  font: inherit;
  font-size: 0.8125rem;
  font-weight: 600;
  text-align: center;
`;

const Facts = styled.ul`
  display: grid;
  gap: 0.375rem;
  padding-inline-start: 1.25rem;
  list-style: disc;
`;
