interface NamedUnbound {
  readonly tables: readonly string[]
  /** What the statement has and no other, with one space for each stretch of them. */
  readonly has: string
  readonly why: string
}

const PARTNER = 'a report of the banking partner names its object by the partner’s id alone'
const TREASURY = 'the sandbox has one treasury, which pays for all organizations'
const USES =
  'a process writes the uses, the errors and the requests of all keys together, some time after the first of them'
const AGENTS = 'one poll of a process counts the work for the agents that wait in it, for each organization by itself'

/** Statements of requests that read or write rows of other organizations, or may. */
export const NAMED_UNBOUND: readonly NamedUnbound[] = [
  {
    tables: ['api_keys', 'organizations'],
    has: 'where "api_keys"."key_hash" = any($1::bytea[])',
    why: 'the hash of a credential says which organization sent the request; a stream looks again while it runs',
  },
  {
    tables: ['refresh_tokens', 'sessions', 'users', 'organizations'],
    has: 'where cookie.token_hash = any($1) and cookie.is_cookie',
    why: 'the hash in a cookie says which organization sent the request; a long response looks again while it runs',
  },
  {
    tables: ['service_account_secrets', 'service_accounts', 'organizations'],
    has: 'where "secret"."secret_hash" = any($1::bytea[])',
    why: 'the hash of a secret says which organization sent the request; a stream looks again while it runs',
  },
  { tables: ['api_keys', 'organizations'], has: 'update api_keys key set last_used_at = held.at', why: USES },
  {
    tables: ['service_account_secrets', 'organizations'],
    has: 'update service_account_secrets secret set last_used_at = held.at',
    why: USES,
  },
  {
    tables: ['organization_erasures'],
    has: 'insert into security_events (',
    why: 'a process writes the security events of all organizations together, some time after the first of them',
  },
  { tables: ['key_errors', 'api_keys'], has: 'insert into key_errors as known', why: USES },
  { tables: ['key_requests'], has: 'insert into key_requests (', why: USES },
  { tables: ['key_requests'], has: 'with beyond as materialized (', why: USES },
  {
    tables: ['agent_work'],
    has: 'from unnest($1::text[]) as c(blockchain) cross join lateral ( (select from agent_work w',
    why: AGENTS,
  },
  {
    tables: ['agent_actions'],
    has: '(select count(*) from (select from agent_actions where organization_id = a.organization_id',
    why: AGENTS,
  },
  {
    tables: ['idempotency_keys'],
    has: 'update idempotency_keys k set claimed_until = $1 from ( select',
    why: 'a process renews the keys of all requests that still run together',
  },
  {
    tables: ['outbox'],
    has: '(select array_agg(distinct organization_id) from outbox where position > $1::bigint)',
    why: 'one poll of a process says which organizations have new events; each stream then reads its own',
  },
  {
    tables: ['sso_domains', 'sso_providers', 'users'],
    has: 'from sso_domains domain join sso_providers provider',
    why: 'an address may be in a domain that another organization has proved',
  },
  {
    tables: ['transaction_hashes', 'transactions'],
    has: '(select max(t.nonce) + 1 from transactions t where t.blockchain =',
    why: 'nonces belong to an address of a chain, which several organizations may have registered',
  },
  {
    tables: ['treasury_sends'],
    has: 'select max("nonce") as "highest" from "treasury_sends"',
    why: TREASURY,
  },
  {
    tables: ['treasury_sends'],
    has: 'select "id" from "treasury_sends" where "blockchain" = $1 and "recipient" = $2 and "purpose" = $3',
    why: TREASURY,
  },
  {
    tables: ['treasury_sends'],
    has: 'update "treasury_sends" set "state" = $1, "block_number" = $2 where "tx_hash" = $3',
    why: TREASURY,
  },
  {
    tables: ['ramp_customers'],
    has: 'select * from "ramp_customers" where "kyb_reference" = $1 for update',
    why: PARTNER,
  },
  {
    tables: ['ramp_transactions', 'ramp_customers'],
    has: 'where "ramp_transactions"."provider_reference" = $1 for update',
    why: PARTNER,
  },
  { tables: ['ramp_accounts'], has: 'select * from "ramp_accounts" where "provider_reference" = $1', why: PARTNER },
]

export function isNamed(table: string, text: string): boolean {
  const compact = text.trim().replace(/\s+/g, ' ')
  return NAMED_UNBOUND.some(({ tables, has }) => tables.includes(table) && compact.includes(has))
}
