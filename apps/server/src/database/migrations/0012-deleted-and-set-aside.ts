import { type Kysely, sql } from 'kysely'

/**
 * Nothing is planned for a deleted organization any longer, neither by a request admitted a moment earlier nor by the
 * service itself; the SQLSTATE is reported as ORGANIZATION_NOT_FOUND. And a wallet whose settlement fails is
 * quarantined with the blocks that are still to be settled for it, so that its chain goes on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function organization_exists() returns trigger language plpgsql as $$
    begin
      if exists (select from organizations where id = new.organization_id and deleted_at is not null) then
        raise exception 'organization % was deleted', new.organization_id using errcode = 'WR404';
      end if;
      return new;
    end $$;
    create trigger operations_have_an_organization before insert on operations
      for each row execute function organization_exists();

    create table wallets_set_aside (
      organization_id bigint not null,
      wallet_id bigint not null,
      blockchain text not null,
      since timestamptz not null,
      attempts integer not null,
      next_attempt_at timestamptz not null,
      error text not null,
      primary key (organization_id, wallet_id),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id)
    );
    create index wallets_set_aside_due on wallets_set_aside (blockchain, next_attempt_at);

    create table set_aside_blocks (
      organization_id bigint not null,
      wallet_id bigint not null,
      block_number bigint not null,
      primary key (organization_id, wallet_id, block_number),
      foreign key (organization_id, wallet_id) references wallets_set_aside (organization_id, wallet_id)
        on delete cascade
    );
  `.execute(db)
}
