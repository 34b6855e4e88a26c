import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { media } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { newLeadsCopy as copy } from '#shared/admin/leadCopy.ts';
import type { NewLeads } from './useNewLeads.ts';

interface NewLeadsBarProps {
  newLeads: NewLeads;
  /** Moves the focus: the pressed button disappears. */
  onLoad: () => void;
}

/** Loads leads that arrived. It lies in the gap above the list, so that nothing moves when it appears. */
export function NewLeadsBar({ newLeads: { count, isLost, load }, onLoad }: NewLeadsBarProps) {
  return (
    <Gap>
      {/* Without the number, so that each further lead isn't announced. */}
      <VisuallyHidden aria-live="polite">{count > 0 ? copy.arrived : ''}</VisuallyHidden>
      {count > 0 ? (
        <ActionButton
          variant="primary"
          onClick={() => {
            load();
            onLoad();
          }}
        >
          {copy.button(count)}
        </ActionButton>
      ) : null}
      <Muted as="output">{isLost ? copy.lost : ''}</Muted>
    </Gap>
  );
}

const Gap = styled.div`
  position: relative;
  z-index: 1;
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.75rem;
  block-size: 0;
  margin-block-end: -0.5rem;

  ${media.touch} {
    block-size: 0.75rem;
  }

  & > button {
    flex: none;
    min-block-size: 2rem;
    padding-block: 0;

    ${media.touch} {
      min-block-size: 2.75rem;
    }
  }
`;
