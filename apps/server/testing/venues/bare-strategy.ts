import { sql } from 'kysely'

/**
 * One organization and one strategy of a venue, each with the id 1, for statements that read no more of them. They lack
 * what they refer to: `session_replication_role` must be `replica`.
 */
export const BARE_STRATEGY = sql`
  insert into organizations (id, name, created_at) overriding system value values (1, 'One', now());
  insert into venues (id, key, name, protocol, blockchain, status) overriding system value
    values (1, 'v', 'V', 'erc4626', 'polygon', 'active');
  insert into strategies (id, key, venue_id, name, token, token_address, token_decimals, status,
    supports_gas_sponsorship, params, protocol, blockchain) overriding system value
    values (1, 's', 1, 'S', 'USDC', '0x1', 6, 'active', false, '{}', 'erc4626', 'polygon');`
