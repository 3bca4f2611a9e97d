import { type RawBuilder, sql } from 'kysely'

/**
 * When the requester of a `request` ends, in SQL over a row of that name: a key that was deleted or rotated or expires, a
 * service account that was deleted, or a member who was removed. `null`: never, as far as is known. It is read with each
 * request, so that no way to end a requester can forget what it requested (ADR 106).
 */
export const requesterEndsAt = (): RawBuilder<Date | null> => sql<Date | null>`(
  case request.requested_by_type
    when 'user' then (select requester.removed_at from users requester
      where requester.organization_id = request.organization_id and requester.id = request.requested_by_id)
    when 'service_account' then (select requester.deleted_at from service_accounts requester
      where requester.organization_id = request.organization_id and requester.id = request.requested_by_id)
    else (select least(requester.revoked_at, requester.expires_at) from api_keys requester
      where requester.organization_id = request.organization_id and requester.id = request.requested_by_id)
  end
)`

/** When a `request` that is not decided ends: it expires, or its requester ends before. */
export const requestEndsAt = (): RawBuilder<Date> => sql<Date>`least(request.expires_at, ${requesterEndsAt()})`
