import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
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
        <Box>
          <span>{gateCopy.otherAccount(other.name)}</span>
          <Button variant="secondary" size="small" onClick={onContinue}>
            {gateCopy.continueAs(other.name)}
          </Button>
        </Box>
      )}
    </output>
  );
}

const Box = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.75rem;
  margin-block-start: 1rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.warning};
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.warning} 5%, #ffffff);
  color: ${token.warning};
  font-weight: 600;
  line-height: 1.4;
  overflow-wrap: anywhere;
`;
