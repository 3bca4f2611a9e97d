export const ROLES = ['viewer', 'approver', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Who is offered an action. The owner made the change request, so that only the others may decide on it. */
const GROUPS = {
  everybody: ROLES,
  approvers: ['approver', 'admin', 'owner'],
  others: ['approver', 'admin'],
  admins: ['admin', 'owner'],
  owners: ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

/** The names of actions by who may use them. With `?`: only where the row of the day allows it. */
type Offers = Readonly<Partial<Record<keyof typeof GROUPS, readonly string[]>>>

/** What only looks: filters, the pages of tables, files, and values and requests to copy. */
export const LOOKING = new RegExp(
  `^(?:${[
    'Copy (?!POST|PUT|PATCH|DELETE).*|CSV(?: of .*)?|Close|First|Next|Previous|Last|Views|As a table|… days|Show entries|Print a statement',
    'As of the end of a day, UTC|(?:From|To) this day, UTC, .*|More filters|State(?: of (?:exits|deliveries|webhooks))?|Type|Token',
    'Chain|Buffer|Label or address|Direction|Event|Operation ID|Payment ID|Wallet|Find deliveries about',
    'Address or description|Member or email|Role of members|Key, or how it ends|Scope of keys',
    'Recipient(?:, or its id)?|Verification of recipients|Operational wallet',
    'ID of the operation|Key or service account|Outcome|Action|On|Who|Leases of agents|Check the whole log|.*\\bGET /.*',
  ].join('|')})$`,
)

/** What each page of `PAGES`, and the detail of its first row, offers besides looking. */
export const OFFERED: Readonly<Record<string, Offers>> = {
  wallets: { admins: ['Add a wallet'] },
  'wallets, opened': { admins: ['Deploy the rest', 'Stays liquid'] },
  addresses: { admins: ['Add a wallet', 'Make operational: …?'] },
  operations: { approvers: ['Review operation …'], admins: ['Actions of operation …?'] },
  history: { admins: ['Actions of operation …?'] },
  'operations, opened': {
    approvers: [
      'Approve operation …',
      'File that supports your decision',
      'Link to an invoice or a ticket',
      'Reason',
      'Reject operation …',
    ],
  },
  allocations: { admins: ['Deploy'] },
  'allocations, opened': {
    admins: ['Amount?', 'Withdraw all?', 'Withdraw what is available now, and the rest when it becomes available?'],
  },
  venues: { admins: ['Cap of …'] },
  breakers: {
    admins: [
      'Accept price fall of Queued USDC',
      'Closes automatically',
      'Depeg',
      'Illiquidity',
      'Price fall',
      'Threshold: Illiquidity',
      'Threshold: Price fall',
      'Upgrade',
      'Withdraw as well',
    ],
  },
  'deposit-limits': {
    admins: [
      'Add a cap',
      'Only some strategies may take deposits',
      'Price fall',
      'Share of a pool',
      'Share of the liquidity',
      'Withdrawable',
    ],
  },
  ramp: { admins: ['Open an account'] },
  'ramp-accounts': {
    admins: ['Add a bank account', 'Open an account', 'Pay in to Weir Sandbox Bank, account …'],
  },
  'ramp-recipients': { admins: ['Add a recipient', 'Approve Granite Supplies'] },
  'ramp-recipients, opened': { admins: ['Approve Granite Supplies'] },
  webhooks: { admins: ['Add a webhook'] },
  'webhooks, opened': {
    admins: ['Delete', 'Disable', 'Edit', 'Replay delivery …?', 'Rotate the secret', 'Send a test event'],
  },
  developers: { admins: ['Generate a key', 'Revoke Treasury service', 'Rotate Treasury service'] },
  'service-accounts': {
    admins: ['Create a service account', 'Delete Buffer sync', 'Rotate the secret of Buffer sync'],
  },
  profiles: { admins: ['New profile'] },
  policy: {
    // What a policy would have decided changes nothing.
    everybody: ['Period of the dry run', 'Try it on past operations'],
    admins: [
      'Add a condition to rule …',
      'Add a rule',
      'Always ask',
      'Approvals required',
      'Automatic',
      'By rules',
      'From this amount',
      'Name of rule …',
      'Otherwise',
      'Remove rule …',
      'Requesters may approve their own operations',
      'What rule … decides',
      '× From an amount, remove from rule …',
    ],
  },
  'changes, opened': {
    others: ['Approve', 'File that supports your decision', 'Link to an invoice or a ticket', 'Reason', 'Reject'],
    owners: ['Cancel'],
  },
  members: {
    admins: ['End sessions of …', 'Invite a member', 'Remove …', 'Role of …'],
    owners: ['Email members who may approve', 'Require second factors', 'Require signed approvals'],
  },
  settings: {
    owners: [
      'accounts for payments in',
      'approval policy',
      'change policy',
      'destinations',
      'keys',
      'members',
      'payout accounts',
      'webhooks',
    ].flatMap((each) => [`Approvals for changes of ${each}`, `Cooling-off period for changes of ${each}`]),
  },
  destinations: { admins: ['Add a destination', 'Only addresses on this list'] },
  'single-sign-on': { owners: ['Add a provider', 'Claim a domain'] },
  account: {
    everybody: [
      'Add a passkey',
      'Add an app',
      'Change',
      'Current password',
      'Email me when something waits for my approval',
      'End all others',
      'End session …?',
      'New password',
      'Send the link that proves it',
    ],
  },
  sandbox: {
    admins: ['Address', 'Advance', 'Amount', 'Break it', 'Days', 'How often', 'Run an agent', 'Send', 'What fails'],
  },
  start: { admins: ['Create the wallet', 'Let the sandbox run an agent'] },
}

/** What a role must find in its part of a page, and what it may find besides. */
export function mayUse(
  offers: Offers,
  role: Role,
): { readonly must: readonly string[]; readonly may: readonly string[] } {
  const names = Object.entries(offers).flatMap(([group, list]) =>
    (GROUPS[group as keyof typeof GROUPS] as readonly Role[]).includes(role) ? list : [],
  )
  return {
    must: names.filter((name) => !name.endsWith('?')),
    may: names.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1)),
  }
}
