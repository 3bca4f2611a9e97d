/** The sections of the API reference, in order. Each route belongs to one. */
export const TAGS: Readonly<Record<string, string>> = {
  Wallets: "v1: your users' wallets. Register a wallet before you plan operations for it.",
  Venues: 'v1: lending protocols, their strategies and current rates.',
  Operations: 'v1: plan a supply or an unwind, track it, cancel it, refresh its unsigned transactions.',
  Transactions: 'v1: submit signed transactions, or the hashes of transactions that you broadcast yourself.',
  Allocations: 'v1: open positions, their value and their earnings.',
  'Ramp: verification': 'v1: verify the organization (KYB) before money moves between banks and chains.',
  'Ramp: recipients': 'v1: people and businesses that you pay or that pay in; each is verified separately.',
  'Ramp: accounts': 'v1: bank accounts whose payments arrive as tokens, and deposit addresses that pay out to banks.',
  'Ramp: transactions': 'v1: payments between banks and chains: quotes, records, summaries, CSV.',
  'Ramp: simulator': 'v1, sandbox only: simulated payments and deposits that move real tokens on the embedded chains.',
  'Ramp: provider': 'The endpoint to which the banking partner sends its events; not for API clients.',
  Sandbox: 'Sandbox only: token faucet, clock, chain faults, RPC endpoints.',
  Authentication: 'core: register an organization, sign in, refresh a session.',
  'Second factors': 'core: authenticator apps, passkeys and recovery codes; step-ups.',
  'Single sign-on': 'core: sign in at the identity provider of your organization; its providers, domains and roles.',
  Organization: 'core: its security settings; delete it.',
  Members: 'core: users of the organization and their roles.',
  'API keys': 'core: keys for applications and agents; each is shown once.',
  'Service accounts': 'core: what calls core without a person, with a secret in place of a session.',
  'Wallet profiles': 'core: groups of wallets, each with its own chains, signing timeout and API keys.',
  'Organization wallets': 'core: all wallets of the organization, from both surfaces: import, labels, statistics.',
  'Operational wallets':
    'core: wallets that Weir rebalances, each with a liquid buffer; rebalance previews and strategy caps.',
  Risk: 'core: facts about the risk of strategies, and when your money could be back.',
  'Core allocations': 'core: positions and the portfolio; deployments and withdrawals on request.',
  'Core operations': 'core: pending, current and past operations from both surfaces; approve and reject.',
  'Approval policy': 'core: who must approve before money moves; evaluate the policy for a hypothetical operation.',
  'Change requests':
    'core: changes of the configuration that others must approve: which do, what is requested, approve and reject.',
  Destinations: 'core: the allow-list of addresses that tokens may be sent to.',
  'Audit log': 'core: append-only record of who did what, when and from where.',
  'Security events': 'core: refused requests that concern the organization.',
  Custody: 'core: request a new wallet from your custody agent and track the result.',
  Agent: 'For custody agents: lease work, renew leases, report results, have signed transactions broadcast.',
  Webhooks: 'core: signed events sent to your endpoints; list and repeat deliveries.',
  Events: 'The webhook events as a list and as a stream, on both surfaces.',
  Preview: 'Announced but not yet stable; enabled with `PREVIEW=1`.',
  Service: 'Health, readiness, metrics and this document.',
}

/** The tags that this service's routes use, for the top of its document. */
export function tagsOf(paths: Readonly<Record<string, Record<string, { readonly tags?: unknown }>>>) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => (tags ?? []) as string[]))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
