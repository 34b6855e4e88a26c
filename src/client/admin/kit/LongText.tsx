import { useId, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ActionButton } from './ActionButton.tsx';
import { typedLook } from './BreakAnywhere.tsx';
import { longTextCopy } from './copy.ts';

/** About what three lines of a column hold. */
const shortMax = 120;

interface LongTextProps {
  text: string;
  /** Of which it is, for the button's name: 'the message from Juniper Street'. */
  of: string;
}

/** Text that strangers type, three lines of it until the button shows the rest. */
export function LongText({ text, of }: LongTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (text.length <= shortMax && !text.includes('\n')) return <Text>{text}</Text>;
  return (
    <>
      <Text id={id} $isCut={!isOpen}>
        {text}
      </Text>
      <ShowButton
        variant="quiet"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={longTextCopy.labelOf(isOpen, of)}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? longTextCopy.less : longTextCopy.all}
      </ShowButton>
    </>
  );
}

const Text = styled.div<{ $isCut?: boolean }>`
  ${typedLook}
  white-space: pre-line;
  ${({ $isCut }) => ($isCut === true ? 'display: -webkit-box; overflow: hidden;' : '')}
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
`;

const ShowButton = styled(ActionButton)`
  min-block-size: 1.5rem;
  padding: 0;
  color: ${token.foreground};
  text-decoration: underline;

  ${media.touch} {
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
  }
`;
