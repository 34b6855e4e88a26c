-- batched
-- The leads whose newest email to a provider failed. Every lead with a failed delivery has delivery_failed, or a later
-- delivery of that channel.
UPDATE leads SET clinic_not_reached = true WHERE id IN (
  SELECT lead.id FROM leads lead
  WHERE lead.delivery_failed AND NOT lead.clinic_not_reached AND 'failed' = (
    SELECT newest.state FROM deliveries newest
    WHERE newest.lead_id = lead.id AND newest.channel = 'provider-email' AND newest.template = 'lead'
    ORDER BY newest.created_at DESC, newest.id LIMIT 1)
  ORDER BY lead.id LIMIT 2000);
