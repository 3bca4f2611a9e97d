import { sql } from 'kysely'
import { PAST_MOVES_MAX, PAST_MOVES_OF_STRATEGY_MAX } from '../../kernel/index.ts'

const COLUMNS = sql`o.id, o.type, o.state, o.strategy_id, o.failure_reason, o.purpose, o.planned_value, o.created_at,
  o.completed_at, o.catalogue_fingerprint, o.move_total, o.move_remaining`

/**
 * In SQL for an operational wallet `ow`: `moves`, the finished operations of the rebalancer that the next move depends on,
 * newest first. Those are the newest ones of each strategy; what was rejected since a time, which pauses such moves
 * however many others ended since; and the last part of each kind that was carried out, whatever failed since.
 */
export const pastMoves = (rejectedSince: Date) => sql`
  select jsonb_agg(jsonb_build_object('type', m.type, 'state', m.state,
    'strategy_id', m.strategy_id, 'failure_reason', m.failure_reason, 'is_reverted', m.failure_reason = 'ONCHAIN'
      and exists (select 1 from transactions t where t.organization_id = ow.organization_id and t.operation_id = m.id
        and t.failure_code = 'REVERTED'),
    'has_failed_checks', m.state = 'ABORTED' and exists (select 1 from agent_work a
      where a.organization_id = ow.organization_id and a.operation_id = m.id and a.failed_check_count > 0),
    'is_undecided', m.state = 'ABORTED' and not exists (select 1 from agent_work a
      where a.organization_id = ow.organization_id and a.operation_id = m.id),
    'purpose', m.purpose, 'amount', m.planned_value::text, 'planned_at', m.created_at, 'ended_at', m.completed_at,
    'catalogue_fingerprint', m.catalogue_fingerprint, 'total', m.move_total::text,
    'remaining', m.move_remaining::text) order by m.id desc) as moves
  from (
    select looked.*,
      row_number() over (partition by type, purpose = 'claim', strategy_id order by id desc) as place,
      row_number() over (partition by type, purpose, state order by id desc) as place_of_state
    from (
      (select ${COLUMNS} from operations o
      where o.organization_id = ow.organization_id and o.op_wallet_id = ow.id and o.origin = 'rebalancer'
        and o.completed_at is not null
      order by o.id desc limit ${PAST_MOVES_MAX})
      union
      (select distinct on (o.purpose, o.strategy_id) ${COLUMNS} from operations o
      where o.organization_id = ow.organization_id and o.op_wallet_id = ow.id and o.origin = 'rebalancer'
        and o.state = 'REJECTED' and o.completed_at > ${rejectedSince}
      order by o.purpose, o.strategy_id, o.id desc)
    ) looked
  ) m
  where m.place <= ${PAST_MOVES_OF_STRATEGY_MAX} or (m.state = 'COMPLETED' and m.place_of_state = 1)
    or (m.state = 'REJECTED' and m.completed_at > ${rejectedSince})
`
