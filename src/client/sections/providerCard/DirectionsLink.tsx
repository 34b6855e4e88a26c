import { ContactLink } from '#client/sections/kit/FormColumns.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { directionsAddress, network } from '#shared/brand/map.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** Opens a map program, which doesn't learn from which page. Nothing without an address or coordinates. */
export function DirectionsLink({ provider: { destination } }: { provider: ProviderView }) {
  if (destination === null) return null;
  return (
    <ContactLink href={`${directionsAddress}${destination}`} target="_blank" rel="noopener noreferrer">
      {network.list.directions}
      <VisuallyHidden> {network.list.newWindow}</VisuallyHidden>
    </ContactLink>
  );
}
