import { styled } from 'styled-components';
import { useBoot } from '#client/api/tenant.tsx';
import { PageDialog } from '#client/sections/kit/PageDialog.tsx';
import type { PolicyKey } from '#shared/pages/boot.ts';
import { LegalBody, policyText } from './LegalBody.tsx';
import { messages } from '#shared/brand/messages.ts';

export interface PolicyDialogProps {
  policy: PolicyKey;
  onClose: () => void;
}

/** One legal document in a modal. */
export function PolicyDialog({ policy, onClose }: PolicyDialogProps) {
  const text = policyText(policy, useBoot());
  return (
    <PageDialog onClose={onClose} title={text.title}>
      <Updated>
        {messages.lastUpdated} {text.lastUpdated}
      </Updated>
      <LegalBody text={text} headingLevel={3} anchors={false} />
    </PageDialog>
  );
}

const Updated = styled.p`
  margin-block-end: 1rem;
  color: var(--surface-muted);
`;
