import type { ErrorCode } from '../../apps/server/src/kernel/errors.ts'

/** A value of `details.reason`, as docs/errors.md lists it. */
export interface DocumentedReason {
  readonly codes: readonly ErrorCode[]
  /** What it says, with the fields that come with it. */
  readonly means: string
  /** What its reader does about it: an imperative sentence. */
  readonly remedy: string
}

const reason = (codes: ErrorCode | readonly ErrorCode[], means: string, remedy: string): DocumentedReason => ({
  codes: typeof codes === 'string' ? [codes] : codes,
  means,
  remedy,
})

const signIn = (means: string) => reason('FORBIDDEN', means, 'See [who is let in](single-sign-on.md#who-is-let-in).')
const ended = (state: string) => reason('CONFLICT', `the change request is ${state}`, 'Make a new request.')

/** Every reason that the service writes. error-reasons.test.ts compares them with the source. */
export const REASONS: Readonly<Record<string, DocumentedReason>> = {
  // Any request
  person_required: reason('FORBIDDEN', 'a service account may not make this request', 'Have a member make it.'),
  enrollment_required: reason(
    'FORBIDDEN',
    'the organization requires a second factor',
    '[Add one](sign-in.md) of your own.',
  ),
  step_up_required: reason(
    'FORBIDDEN',
    'your second factor was verified too long ago; `factors` lists what you have',
    'Verify it with `POST /api/core/auth/step-up`, and repeat.',
  ),
  cross_site_request: reason(
    'FORBIDDEN',
    'a page of another site sent a session cookie',
    'Send requests from the pages of this service, or with a token.',
  ),
  csrf_token_invalid: reason(
    'FORBIDDEN',
    'a request with a session cookie lacks its token',
    'Send `csrfToken` of `GET /api/core/auth/browser-session` in `x-weir-csrf`.',
  ),
  session_cookie_replaced: reason(
    'FORBIDDEN',
    'another request of the browser has replaced the cookie, and this one needs the new one',
    'Repeat it with the new cookie and its `csrfToken`.',
  ),
  different_request: reason(
    'IDEMPOTENCY_CONFLICT',
    'the key was used with another method, path or body',
    'Use a new key.',
  ),
  request_in_progress: reason(
    ['IDEMPOTENCY_CONFLICT', 'RAMP_UNAVAILABLE'],
    'the first request with this key, or with this external id of a recipient, still runs',
    'Repeat it after a moment.',
  ),
  organization_rate_limit: reason(
    'RATE_LIMIT_EXCEEDED',
    'all callers of the organization together send too much',
    'Wait `retryAfterSeconds`, or [raise the limit](operating.md).',
  ),
  not_replicated: reason(
    'NOT_READY',
    'too few standbys acknowledge writes',
    'Retry; [start the missing standby](high-availability.md).',
  ),
  quota_exceeded: reason(
    'CONFLICT',
    'the organization has all it may have of `quota`: `used` of `limit`',
    'Delete some, or [raise the quota](operating.md).',
  ),
  too_many_saved_views: reason(
    'CONFLICT',
    'you have as many saved views as one member may have: a tenth of the quota',
    'Delete some of yours.',
  ),
  runs_no_agents: reason(
    'CONFLICT',
    'this process cannot run agents of the sandbox, as the message says',
    'Change the setting that the message names, or [run an agent yourself](agent.md).',
  ),
  too_many_agents: reason(
    'CONFLICT',
    'the `organization` or the `service`, in `of`, runs as many sandbox agents as `limit` allows',
    'Stop one.',
  ),
  // Strategies and operations
  pays_less: reason(
    'SIMULATION_FAILED',
    'a deposit or withdrawal by Weir would lose more than the share price and announced fee of the vault explain',
    'Wait, or move it yourself.',
  ),
  full: reason('STRATEGY_NOT_ACTIVE', 'the strategy is at its own cap', 'Choose another, or wait.'),
  frozen: reason('STRATEGY_NOT_ACTIVE', 'the protocol froze it', 'Choose another; withdrawals still work.'),
  paused: reason(
    'STRATEGY_NOT_ACTIVE',
    'the protocol paused it, or Weir takes no deposits for it',
    'Choose another, or wait.',
  ),
  entry_fee: reason(
    'STRATEGY_NOT_ACTIVE',
    'Weir was to choose, and each strategy that accepts the amount keeps more than 0.1% of a deposit as a fee',
    'Name the strategy to deposit there anyway.',
  ),
  nothing_claimable: reason(
    'ALLOCATION_NOT_FOUND',
    'the wallet has nothing to claim now',
    'Claim later: [exits](exits.md).',
  ),
  nothing_to_revoke: reason('ALLOCATION_NOT_FOUND', 'the wallet has no allowance there', 'Nothing: none is left.'),
  destination_not_allowed: reason(
    'FORBIDDEN',
    'the allow-list does not have `address` on `blockchain`',
    '[Add it](change-requests.md#how-do-i-limit-where-tokens-may-go).',
  ),
  signature_required: reason('FORBIDDEN', 'this approval needs a passkey', 'Sign it with a passkey of yours.'),
  signature_invalid: reason(
    'FORBIDDEN',
    'no passkey of yours signed this operation as it is stored now',
    'Read it again, and sign that.',
  ),
  calls_differ: reason(
    'CONFLICT',
    'the calls of the operation do not match `callsHash`',
    'Read its calls again, and approve those.',
  ),
  observation_differs: reason(
    'CONFLICT',
    'the circuit breaker stops deposits for a different fact than the one you saw: `observation`',
    'Review that, and accept it by its `observation`.',
  ),
  breaker_not_open: reason('CONFLICT', 'no such circuit breaker is open', 'Nothing; deposits are not blocked.'),
  // Changes of the configuration
  change_request_required: reason(
    'FORBIDDEN',
    'on v1, this change needs approval: `changeRequestId`',
    'Have it approved, and repeat with the header `Change-Request-Id`.',
  ),
  change_request_not_approved: reason(
    'FORBIDDEN',
    'it has `approvals` of `requiredApprovals`',
    'Wait for the others, and repeat.',
  ),
  change_request_cooling_off: reason(
    'FORBIDDEN',
    'it is approved, but still in its cooling-off period',
    'Repeat from `earliestAt` on.',
  ),
  change_request_of_another: reason('FORBIDDEN', 'somebody else requested it', 'Have them complete it.'),
  change_request_mismatch: reason(
    'CONFLICT',
    'the request differs from the approved one',
    'Repeat exactly the approved request.',
  ),
  change_request_unreadable: reason(
    'CONFLICT',
    'its content cannot be decrypted',
    'Reject it, and request the change again; see [secrets](secrets.md#what-if-a-stored-value-does-not-open).',
  ),
  change_request_completed: ended('completed'),
  change_request_rejected: ended('rejected'),
  change_request_cancelled: ended('cancelled'),
  change_request_expired: ended('expired'),
  own_change_request: reason(
    'FORBIDDEN',
    'you requested it, yourself or with a key or secret that you received',
    'Have another member approve it.',
  ),
  change_concerns_you: reason(
    'FORBIDDEN',
    'the change is about you: you cannot reject it, nor approve more rights for yourself',
    'Have another member decide.',
  ),
  change_policy_changed: reason('CONFLICT', 'a rule was set meanwhile, so it needs approval', 'Repeat the request.'),
  changed_meanwhile: reason(
    'CONFLICT',
    'another `version` or `updatedAt` is in force than the one you changed',
    'Read it again, and repeat the change on it.',
  ),
  too_few_approvers: reason(
    'CONFLICT',
    '`requiredApprovals` are more than the `approvers` that remain and can sign in',
    'Demand fewer, add members who may approve, or have them set their own passwords.',
  ),
  too_many_change_requests: reason(
    'CONFLICT',
    'too many change requests are open',
    'Decide, reject or cancel some first.',
  ),
  // Members, accounts and sign-in
  address_in_use: reason('CONFLICT', 'the email address belongs to an account', 'Use another address.'),
  address_unproved: reason(
    'CONFLICT',
    'an account has the address and never proved it',
    'Send `takeAddress: true` to take it over.',
  ),
  invitation_required: reason('FORBIDDEN', 'members are invited on this service', 'Use `POST /api/core/invitations`.'),
  email_not_verified: reason(
    'FORBIDDEN',
    'you did not prove your address; at a single sign-on, your provider does not confirm it',
    'Prove it with `POST /api/core/auth/email-verification`; at the provider, see [who is let in](single-sign-on.md#who-is-let-in).',
  ),
  mail_unavailable: reason('FORBIDDEN', 'the service has no mail server', '[Set one](mail.md).'),
  invalid_token: reason('FORBIDDEN', 'the link was used, has expired, or never existed', 'Request another email.'),
  password_required: reason(
    'FORBIDDEN',
    'the change needs your current password, or a sign-in within five minutes',
    'Send `currentPassword`.',
  ),
  challenge_expired: reason('UNAUTHORIZED', 'the sign-in has expired or was completed', 'Sign in again.'),
  factor_invalid: reason(
    ['UNAUTHORIZED', 'FORBIDDEN'],
    'the second factor is wrong or was used',
    'Send the next code, or use the passkey again.',
  ),
  second_factor_missing: reason('CONFLICT', 'you have no second factor', 'Add one of your own first.'),
  second_factor_required: reason('CONFLICT', 'it is your last factor, and one is required', 'Add another first.'),
  passkey_missing: reason('CONFLICT', 'you have no passkey', 'Add one of your own first.'),
  earlier_secret_works: reason(
    'CONFLICT',
    'the secret before the current one still works',
    'Wait until it expires, or rotate with `overlapSeconds: 0`.',
  ),
  old_secrets_work: reason(
    'CONFLICT',
    'five old secrets of the webhook still sign; the first of them ends at `until`',
    'Rotate again after that time.',
  ),
  still_stopping: reason(
    'CONFLICT',
    'the webhook was just disabled, and its many pending deliveries are still being failed',
    'Enable it again in a moment.',
  ),
  // Single sign-on
  sso_required: reason('FORBIDDEN', 'this email domain requires single sign-on', 'Sign in at the provider.'),
  sso_not_configured: reason('NOT_FOUND', 'no provider is configured there', '[Configure one](single-sign-on.md).'),
  unknown_state: reason('UNAUTHORIZED', 'the sign-in was not begun in this browser, or has ended', 'Start again.'),
  provider_refused: reason('UNAUTHORIZED', 'the provider refused; `problem` is its code', 'Look in its log.'),
  sign_in_failed: reason(
    'UNAUTHORIZED',
    'what the provider said could not be verified; `problem` names the check',
    'Correct the provider’s settings.',
  ),
  provider_unavailable: reason(
    'CONFLICT',
    'the provider does not respond as OpenID Connect requires; `problem` says how',
    'Check the issuer, and that the service reaches it.',
  ),
  domain_not_proved: signIn('the email domain is not one of this provider'),
  email_in_use: signIn('a member of another organization proved the address'),
  member_removed: signIn('the person was removed'),
  already_linked: signIn('the member signs in with another account of this provider'),
  owner_not_allowed: signIn('the member is an owner, and the provider may not sign owners in (`allowOwner`)'),
  no_role: signIn('no mapping gives the person a role'),
  domain_taken: reason('CONFLICT', 'another organization has proved the domain', 'Have them give it up.'),
  dns_unavailable: reason('CONFLICT', 'the domain’s name servers do not respond', 'Repeat it later.'),
  record_not_found: reason(
    'CONFLICT',
    'the TXT record `recordName` lacks `recordValue`',
    'Publish it, wait for DNS, and repeat.',
  ),
  // Ramp and sandbox
  payments_under_way: reason(
    'CONFLICT',
    '`rampTransactionsUnderWay` payments of the recipient are not final',
    'Wait until they are.',
  ),
  state_not_supported: reason('CONFLICT', 'the strategy does not have this state', 'Choose another state or strategy.'),
  venue_refused: reason(
    'CONFLICT',
    'the venue’s contracts refuse the change; the message says why',
    'Send another value.',
  ),
}
