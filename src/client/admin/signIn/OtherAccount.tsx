import { styled } from 'styled-components';
import { WarningLine } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import type { StaffMember } from '#shared/admin/staff.ts';
import { gateCopy } from './copy.ts';

interface OtherAccountProps {
  /** Null: the page shows who is signed in. */
  other: StaffMember | null;
  onContinue: () => void;
}

/**
 * Says that another tab has signed in with another account. What was typed stays until the button is pressed. Its live
 * region is there before, so that it is announced.
 */
export function OtherAccount({ other, onContinue }: OtherAccountProps) {
  return (
    <output>
      {other === null ? null : (
        <Notice text={gateCopy.otherAccount(other.name)}>
          <Button variant="secondary" size="small" onClick={onContinue}>
            {gateCopy.continueAs(other.name)}
          </Button>
        </Notice>
      )}
    </output>
  );
}

const Notice = styled(WarningLine)`
  margin-block-start: 1rem;
`;
