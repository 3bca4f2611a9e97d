import { index, statement } from '../migration-steps.ts'

/** Allowances that ended supplies left, until the chain has none; and the operation and transaction that revoke one. */
export const steps = [
  statement(`
    create table if not exists left_allowances (
      organization_id bigint not null,
      operation_id bigint not null,
      op_wallet_id bigint not null,
      strategy_id bigint not null references strategies (id),
      left_at timestamptz not null,
      primary key (organization_id, operation_id),
      foreign key (organization_id, operation_id) references operations (organization_id, id),
      foreign key (organization_id, op_wallet_id) references operational_wallets (organization_id, id) on delete cascade
    )
  `),
  index('left_allowances_of_wallet', 'left_allowances (organization_id, op_wallet_id)'),
  statement(`
    alter table operations
      drop constraint if exists operations_type_check,
      drop constraint if exists operations_type,
      add constraint operations_type check (type in ('SUPPLY', 'UNWIND', 'REVOKE')) not valid
  `),
  statement('alter table operations validate constraint operations_type'),
  statement(`
    alter table transactions
      drop constraint if exists transactions_kind,
      drop constraint if exists transactions_kind_of_step,
      add constraint transactions_kind_of_step check (kind in
        ('approve_reset', 'approve', 'supply', 'unwind', 'exit_request', 'exit_claim', 'revoke')) not valid
  `),
]
