import { useState } from 'react';
import { styled } from 'styled-components';
import { useDownload } from '#client/features/admin/useDownload.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { personFileHref, personWords as words } from '#shared/personWords.ts';
import { EraseForm } from './EraseForm.tsx';
import { Facts } from './Facts.tsx';

/** What owners do when somebody asks what is held about them, or that it go. */
export function PersonSection({ leadId }: { leadId: number }) {
  const [isAsking, setIsAsking] = useState(false);
  const download = useDownload();
  const close = (): void => setIsAsking(false);
  return (
    <Facts title={words.title}>
      <p>{words.note}</p>
      <Row>
        <Button variant="secondary" size="small" onClick={() => download(personFileHref(leadId))}>
          {words.export}
        </Button>
        <Button variant="secondary" size="small" onClick={() => setIsAsking(true)}>
          {words.erase}
        </Button>
      </Row>
      <Dialog open={isAsking} onClose={close} title={words.eraseTitle(leadId)}>
        <EraseForm leadId={leadId} onCancel={close} onErased={close} />
      </Dialog>
    </Facts>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
`;
