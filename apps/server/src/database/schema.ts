import type { AgentsTables } from './schema/agents.ts'
import type { AllocationsTables } from './schema/allocations.ts'
import type { BreakersTables } from './schema/breakers.ts'
import type { ChangesTables } from './schema/changes.ts'
import type { DatabaseTables } from './schema/database.ts'
import type { DestinationsTables } from './schema/destinations.ts'
import type { IdentityTables } from './schema/identity.ts'
import type { ServiceAccountsTables } from './schema/identity-accounts.ts'
import type { AuditTables } from './schema/identity-audit.ts'
import type { ErasuresTables } from './schema/identity-erasures.ts'
import type { KeyErrorsTables } from './schema/identity-errors.ts'
import type { FactorsTables } from './schema/identity-factors.ts'
import type { QuotasTables } from './schema/identity-quotas.ts'
import type { KeyRequestsTables } from './schema/identity-requests.ts'
import type { SsoTables } from './schema/identity-sso.ts'
import type { SavedViewsTables } from './schema/identity-views.ts'
import type { LedgerTables } from './schema/ledger.ts'
import type { MailTables } from './schema/mail.ts'
import type { OperationsTables } from './schema/operations.ts'
import type { PolicyTables } from './schema/policy.ts'
import type { RampTables } from './schema/ramp.ts'
import type { RebalancingTables } from './schema/rebalancing.ts'
import type { SandboxTables } from './schema/sandbox.ts'
import type { SecretsTables } from './schema/secrets.ts'
import type { SurfacesTables } from './schema/surfaces.ts'
import type { VenuesTables } from './schema/venues.ts'
import type { WalletsTables } from './schema/wallets.ts'
import type { WatchTables } from './schema/watch.ts'
import type { WebhooksTables } from './schema/webhooks.ts'

export type { AgentActionStatus } from './schema/agents.ts'
export type { AllocationStatus, ExitState } from './schema/allocations.ts'
export type { BreakerKind, BreakerState } from './schema/breakers.ts'
export type { ChangeRequestState } from './schema/changes.ts'
export type { AccountTokenPurpose, KeyPermission, KeyScope, Role } from './schema/identity.ts'
export type { ServiceAccountRole } from './schema/identity-accounts.ts'
export type { AuditActorType } from './schema/identity-audit.ts'
export type { ChallengePurpose, FactorKind } from './schema/identity-factors.ts'
export type { DefaultRole } from './schema/identity-sso.ts'
export type { LedgerAccount } from './schema/ledger.ts'
export type {
  AgentStage,
  Executor,
  FailureReason,
  MovePurpose,
  OperationOrigin,
  OperationState,
  OperationType,
  TransactionKind,
  TransactionStatus,
} from './schema/operations.ts'
export type { FiatAccount, KybStatus, RampDirection, RampRail, RampStatus } from './schema/ramp.ts'
export type { AwaitedState } from './schema/rebalancing.ts'
export type { TreasurySendState } from './schema/sandbox.ts'
export type { SecretKind } from './schema/secrets.ts'
export type { CatalogueStatus, DepositState, StoredContractCode, WithdrawalState } from './schema/venues.ts'
export type { EvaluationOutcome } from './schema/wallets.ts'
export type { DeliveryStatus, StoredAttempt } from './schema/webhooks.ts'

/**
 * The tables as TypeScript types, one file for each room that owns them. int8 is read as `number` (every id stays below
 * 2^53), numeric as `bigint`, timestamptz as `Date`, date as 'YYYY-MM-DD'; the pool converts them
 * (database/connections/type-parsers.ts).
 */
export interface Schema
  extends AgentsTables,
    AllocationsTables,
    AuditTables,
    BreakersTables,
    ChangesTables,
    DatabaseTables,
    DestinationsTables,
    ErasuresTables,
    FactorsTables,
    KeyErrorsTables,
    KeyRequestsTables,
    QuotasTables,
    IdentityTables,
    SavedViewsTables,
    LedgerTables,
    MailTables,
    OperationsTables,
    PolicyTables,
    RampTables,
    RebalancingTables,
    SandboxTables,
    SecretsTables,
    ServiceAccountsTables,
    SsoTables,
    SurfacesTables,
    VenuesTables,
    WalletsTables,
    WatchTables,
    WebhooksTables {}
