import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { dialogLook, ModalContent } from '#client/ui/ModalContent.tsx';

interface PageDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog of a visitors' page, on the browser's `<dialog>`: these pages load no library for it. Render it only while
 * it is open. Focus stays inside and returns; Esc, the button and a press outside close it.
 */
export function PageDialog({ title, onClose, children }: PageDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Close it before it is removed from the page: removed while open, it would not return the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  function onEnd({ currentTarget }: SyntheticEvent<HTMLDialogElement>): void {
    // The event comes late, when it may have been opened again.
    if (!currentTarget.open) onClose();
  }
  return (
    <Sheet ref={ref} aria-labelledby={titleId} data-modal="" closedby="any" onClose={onEnd}>
      <ModalContent title={title} titleId={titleId} onClose={() => ref.current?.close()}>
        {children}
      </ModalContent>
    </Sheet>
  );
}

const Sheet = styled.dialog`
  ${dialogLook}

  &:not([open]) {
    display: none;
  }

  &::backdrop {
    background: color-mix(in srgb, ${token.ink} 55%, transparent);
  }
`;
