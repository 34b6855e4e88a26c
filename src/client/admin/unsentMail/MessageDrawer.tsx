import { useState } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Drawer } from '#client/ui/Drawer.tsx';
import type { UnsentMessage } from '#shared/admin/unsentMail.ts';
import { unsentMailCopy as copy } from './copy.ts';

const styleSheets = /<style\b.*?<\/style>/gis;
const start = /^<!doctype html>/i;

interface MessageDrawerProps {
  name: string;
  onClose: () => void;
}

/** One message, as a mail program shows it or as text. */
export function MessageDrawer({ name, onClose }: MessageDrawerProps) {
  const { data, error, refetch } = adminApi.admin.unsentMail.get.useQuery({ name });
  return (
    <Drawer title={data?.subject ?? copy.messageLoading} onClose={onClose}>
      <LoadFailure error={error} fallback={copy.messageFailed} onRetry={() => void refetch()} />
      {data === undefined ? null : <Shown message={data} />}
    </Drawer>
  );
}

function Shown({ message: { to, html, text } }: { message: UnsentMessage }) {
  const [view, setView] = useState<'html' | 'text'>('html');
  return (
    <Stack>
      <p>{copy.messageTo(to)}</p>
      <Row as="fieldset" aria-label={copy.views.label}>
        {(['html', 'text'] as const).map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === view ? 'primary' : 'secondary'}
            aria-pressed={each === view}
            onClick={() => setView(each)}
          >
            {copy.views[each]}
          </Button>
        ))}
      </Row>
      {view === 'text' ? (
        <Plain tabIndex={0}>{text}</Plain>
      ) : (
        // The sandbox has a separate origin and runs no scripts. Links open in a new tab.
        <Frame
          title={copy.messageTo(to)}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={framedMessage(html)}
        />
      )}
    </Stack>
  );
}

/**
 * A message for the frame, which inherits the dashboard's content security policy. The policy allows style attributes,
 * which messages use, and rejects style sheets: the one for dark screens is removed. Links open outside the frame.
 */
function framedMessage(html: string): string {
  return html.replaceAll(styleSheets, '').replace(start, '<!doctype html><base target="_blank">');
}

const Plain = styled.pre`
  padding: 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  font-size: 0.875rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

const Frame = styled.iframe`
  inline-size: 100%;
  block-size: max(24rem, 65dvh);
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
`;
