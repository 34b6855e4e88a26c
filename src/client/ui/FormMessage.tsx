import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { CircleAlert } from './Icon.tsx';

interface FormMessageProps {
  id: string;
  /** Empty if there is no message. */
  text: string;
  /** The message is not an error. */
  isCalm?: boolean;
}

/**
 * The message of a whole form, above its button. Rendered from the start, because a live region only announces changes.
 * The text has an element of its own, so that a page translator, which replaces text nodes, leaves React's elements in
 * place.
 */
export function FormMessage({ id, text, isCalm = false }: FormMessageProps) {
  return (
    <Live aria-live="polite">
      {text === '' ? null : (
        <Message key={text} id={id} $calm={isCalm}>
          <CircleAlert />
          <span>{text}</span>
        </Message>
      )}
    </Live>
  );
}

/** No box of its own: an empty one would leave a gap in the form's grid. */
const Live = styled.div`
  display: contents;
`;

const Message = styled.p<{ $calm: boolean }>`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  padding: 0.875rem 1rem;
  border: 1px solid ${({ $calm }) => ($calm ? 'var(--surface-line)' : 'currentcolor')};
  border-radius: ${token.radius};
  color: ${({ $calm }) => ($calm ? 'var(--surface-text)' : 'var(--surface-danger)')};
  line-height: 1.5;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
  }
`;
