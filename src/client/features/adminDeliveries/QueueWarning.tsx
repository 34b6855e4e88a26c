import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { CircleAlert } from '#client/ui/Icon.tsx';
import type { QueueHealth } from '#shared/adminDeliveries.ts';
import { queueWords as words } from '#shared/adminDeliveryWords.ts';

const lateSeconds = 60;

/**
 * What is wrong with the queue as a whole. Its place is there from the start and its sentence has no figure that changes: it is announced once, when
 * it comes.
 */
export function QueueWarning({ health }: { health: QueueHealth | undefined }) {
  const warning = health === undefined ? null : warningOf(health);
  return (
    <div aria-live="polite">
      {warning === null ? null : (
        <Box>
          <CircleAlert />
          <div>
            <strong>{warning.title}</strong>
            <p>{warning.text}</p>
          </div>
        </Box>
      )}
    </div>
  );
}

function warningOf({ workers, oldestDueSeconds }: QueueHealth): { title: string; text: string } | null {
  if (workers === 0) return { title: words.warning, text: words.noWorkers };
  const isLate = oldestDueSeconds !== null && oldestDueSeconds > lateSeconds;
  return isLate ? { title: words.lateTitle, text: words.late } : null;
}

const Box = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  align-items: center;
  gap: 0.75rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.warning};
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.warning} 5%, #ffffff);
  color: ${token.warning};
  line-height: 1.4;

  & > svg {
    inline-size: 1.25rem;
  }
`;
