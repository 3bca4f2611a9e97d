import { index, statement, uniqueIndex } from '../migration-steps.ts'

/**
 * What a strategy could not pay at once of a withdrawal that a person requested, until it is fetched, and the operations
 * that fetch it. What is fetched follows from these operations, so that a late landing counts. They have a purpose of their own.
 */
export const steps = [
  statement(`
    create table if not exists awaited_withdrawals (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity,
      op_wallet_id bigint not null,
      strategy_id bigint not null references strategies (id),
      -- Base units that were requested; null: the whole position.
      amount numeric(78, 0) check (amount > 0),
      state text not null check (state in ('open', 'fetched', 'cancelled', 'rejected')),
      requested_by_type text not null check (requested_by_type in ('user', 'key', 'service_account')),
      requested_by_id bigint not null,
      requester_user_id bigint,
      created_at timestamptz not null,
      ended_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, op_wallet_id) references operational_wallets (organization_id, id) on delete cascade
    )
  `),
  statement(`
    create table if not exists awaited_withdrawal_operations (
      organization_id bigint not null,
      operation_id bigint not null,
      awaited_id bigint not null,
      primary key (organization_id, operation_id),
      foreign key (organization_id, operation_id) references operations (organization_id, id),
      foreign key (organization_id, awaited_id) references awaited_withdrawals (organization_id, id) on delete cascade
    )
  `),
  uniqueIndex(
    'awaited_withdrawals_open',
    "awaited_withdrawals (organization_id, op_wallet_id, strategy_id) where state = 'open'",
  ),
  index('awaited_withdrawal_operations_of', 'awaited_withdrawal_operations (organization_id, awaited_id)'),
  statement(`
    alter table operations drop constraint if exists operations_purpose_known,
      add constraint operations_purpose_known
        check (purpose in ('requested', 'deployment', 'refill', 'evacuation', 'claim', 'revocation')) not valid
  `),
  statement('alter table operations validate constraint operations_purpose_known'),
]
