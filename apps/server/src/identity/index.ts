export { ADDRESS_REQUEST_LABEL } from './addresses/address-request.ts'
export { answerAddressRequests } from './addresses/answer-address-requests.ts'
export { changeEmail } from './addresses/change-email.ts'
export { confirmPasswordReset, type PasswordReset } from './addresses/confirm-password-reset.ts'
export { confirmVerification } from './addresses/confirm-verification.ts'
export { requestPasswordReset } from './addresses/request-password-reset.ts'
export { requestVerification } from './addresses/request-verification.ts'
export { type AnchorPublisher, anchorAuditHeads } from './anchors/anchor-audit-heads.ts'
export { fileAnchors } from './anchors/append-to-file.ts'
export { type AuditBacklog, auditBacklog } from './anchors/audit-backlog.ts'
export { type ConnectedAnchors, connectAnchors } from './anchors/connect-anchors.ts'
export { type AnchorLines, readAnchorLines } from './anchors/read-anchor-lines.ts'
export { storedAnchors } from './anchors/stored-anchors.ts'
export { timestampAnchors } from './anchors/timestamp.ts'
export { appendAuditEntry, type NewAuditEntry } from './audit/append-audit-entry.ts'
export { chainAuditEntries } from './audit/chain-audit-entries.ts'
export { type AuditFilter, type AuditLogRecord, listAuditLog } from './audit/list-audit-log.ts'
export { type AuditedActor, queueAuditEntry, queueAuditEntrySql } from './audit/queue-audit-entry.ts'
export { type AuditCheckpoint, type AuditVerification, verifyAuditLogs } from './audit/verify-audit-log.ts'
export { type Authenticator, authenticatorOf } from './authenticator.ts'
export type { DemoCredentials } from './demo/demo-file.ts'
export { seedDemo } from './demo/seed-demo.ts'
export type { ActivatedFactor } from './factors/activate-factor.ts'
export { type AddedPasskey, addPasskey } from './factors/add-passkey.ts'
export { beginPasskey, type PasskeyCreation } from './factors/begin-passkey.ts'
export { beginTotp, type TotpSecret } from './factors/begin-totp.ts'
export type { PresentedFactor } from './factors/check-factor.ts'
export { confirmTotp } from './factors/confirm-totp.ts'
export { consumeAssertion, type VerifiedAssertion } from './factors/consume-assertion.ts'
export { FACTORS_PURPOSE, TOTP_SEALED_COLUMN } from './factors/consume-totp-code.ts'
export { listFactors, type UserFactors } from './factors/list-factors.ts'
export { removePasskey, removeTotp } from './factors/remove-factor.ts'
export { renewRecoveryCodes } from './factors/renew-recovery-codes.ts'
export { type PasskeyRequest, requestPasskey } from './factors/request-passkey.ts'
export type { PasskeyAssertion, PasskeyAttestation } from './factors/webauthn.ts'
export { identityRetentions } from './identity-retentions.ts'
export { acceptMemberInvitation } from './invitations/accept-member-invitation.ts'
export { endOpenInvitations } from './invitations/end-open-invitations.ts'
export { inviteMember } from './invitations/invite-member.ts'
export { listMemberInvitations } from './invitations/list-member-invitations.ts'
export type { MemberInvitation } from './invitations/member-invitation.ts'
export { revokeMemberInvitation } from './invitations/revoke-member-invitation.ts'
export { agentHeartbeats } from './keys/agent-heartbeats.ts'
export { authenticateKey, type KeyCheck } from './keys/authenticate-key.ts'
export { deleteKey } from './keys/delete-key.ts'
export { type ApiKey, type ApiKeyWithSecret, generateKey, type KeyRequest } from './keys/generate-key.ts'
export {
  type FailedRequest,
  type KeyErrorFacts,
  type KeyErrorRecorder,
  KeyErrors,
} from './keys/key-errors.ts'
export { KEY_PERMISSIONS } from './keys/key-permissions.ts'
export { type AnsweredRequest, type KeyRequestRecorder, KeyRequests } from './keys/key-requests.ts'
export { type ListedAgent, listAgents } from './keys/list-agents.ts'
export { type KeyError, listKeyErrors } from './keys/list-key-errors.ts'
export { type ListedRequest, listKeyRequests } from './keys/list-key-requests.ts'
export { type ApiKeyWithUsage, listKeys } from './keys/list-keys.ts'
export { rotateKey } from './keys/rotate-key.ts'
export { type KeyValidity, validateKey } from './keys/validate-key.ts'
export { registrationLabel } from './mail/account-token.ts'
export type { AccountChange, MailContent, SealedMail, WaitingRequest } from './mail/mail-content.ts'
export {
  getNotificationSettings,
  type NotificationSettings,
  updateNotificationSettings,
} from './mail/notification-settings.ts'
export { emailVerificationOf, mailLabel, openMail } from './mail/queue-mail.ts'
export { addMember, type NewMember } from './members/add-member.ts'
export { breachedPasswords } from './members/breached-passwords.ts'
export { endMemberSessions } from './members/end-member-sessions.ts'
export {
  type Explanation,
  explanationColumns,
  explanationFrom,
  IS_EXPLAINED,
  replacedByDecision,
  type StoredExplanation,
} from './members/explanation.ts'
export { listMembers } from './members/list-members.ts'
export { APPROVER_ROLES, isHigherRole, type Member, ROLES_BY_RIGHTS } from './members/member.ts'
export { notifyApprovers } from './members/notify-approvers.ts'
export { notifyEach } from './members/notify-each.ts'
export { readWaysIn } from './members/read-ways-in.ts'
export { type RecoveredOwner, recoverOwner } from './members/recover-owner.ts'
export { removeMember } from './members/remove-member.ts'
export { requireApprover } from './members/require-approver.ts'
export { resetMemberFactors } from './members/reset-member-factors.ts'
export { searchMembers } from './members/search-members.ts'
export { strongPasswords } from './members/strong-passwords.ts'
export { type MemberUpdate, updateMember } from './members/update-member.ts'
export { confirmRegistration } from './organizations/confirm-registration.ts'
export { createInvitation, type Invitation } from './organizations/create-invitation.ts'
export { deleteOrganization } from './organizations/delete-organization.ts'
export { IDENTITY_ERASURE } from './organizations/erase-identity.ts'
export { type ErasureParts, eraseOrganization, eraseRequested } from './organizations/erase-organization.ts'
export type { ErasedOrganization, Erasure, ErasureStep } from './organizations/erasure.ts'
export { erasureBacklogSeconds } from './organizations/erasure-backlog.ts'
export { findErasure } from './organizations/find-erasure.ts'
export { type Registration, type RegistrationMode, register } from './organizations/register.ts'
export {
  type RequestedErasure,
  requestErasure,
  requestErasureOfDeleted,
  requestExpiredErasures,
} from './organizations/request-erasure.ts'
export { requestRegistration } from './organizations/request-registration.ts'
export {
  getSecuritySettings,
  type SecuritySettings,
  updateSecuritySettings,
} from './organizations/security-settings.ts'
export { setSignedApprovals } from './organizations/set-signed-approvals.ts'
export { createProfile } from './profiles/create-profile.ts'
export { deleteProfile } from './profiles/delete-profile.ts'
export { getProfile } from './profiles/get-profile.ts'
export { listProfiles } from './profiles/list-profiles.ts'
export { lockProfile } from './profiles/lock-profile.ts'
export type { WalletProfile } from './profiles/profile.ts'
export type { ProfileFields } from './profiles/profile-fields.ts'
export { updateProfile } from './profiles/update-profile.ts'
export { createSavedView, type NewView } from './saved-views/create-saved-view.ts'
export { deleteSavedView } from './saved-views/delete-saved-view.ts'
export { listSavedViews } from './saved-views/list-saved-views.ts'
export type { SavedView } from './saved-views/saved-view.ts'
export { updateSavedView } from './saved-views/update-saved-view.ts'
export { hostEvent } from './security-events/host-event.ts'
export {
  listSecurityEvents,
  type SecurityEventFilter,
} from './security-events/list-security-events.ts'
export {
  SECURITY_EVENT_SUCCESSES,
  SECURITY_EVENT_TYPES,
  type SecurityEvent,
  type SecurityEventFacts,
  type SecurityEventRecorder,
  type SecurityEventType,
} from './security-events/security-event.ts'
export { type LineSink, presentSecurityEvent, SecurityEventLog } from './security-events/security-event-log.ts'
export { SecurityEvents } from './security-events/security-events.ts'
export { authenticateServiceAccount } from './service-accounts/authenticate-service-account.ts'
export { createServiceAccount } from './service-accounts/create-service-account.ts'
export { deleteServiceAccount } from './service-accounts/delete-service-account.ts'
export { getServiceAccount } from './service-accounts/get-service-account.ts'
export { listServiceAccounts } from './service-accounts/list-service-accounts.ts'
export { rotateServiceAccount } from './service-accounts/rotate-service-account.ts'
export type { ServiceAccount, ServiceAccountWithSecret } from './service-accounts/service-account.ts'
export { authenticateBearer } from './sessions/authenticate-bearer.ts'
export { type ChangedPassword, changePassword } from './sessions/change-password.ts'
export { completeLogIn } from './sessions/complete-log-in.ts'
export { endOtherSessions } from './sessions/end-other-sessions.ts'
export { endSession } from './sessions/end-session.ts'
export { getAccount } from './sessions/get-account.ts'
export { listSessions, type OpenSession } from './sessions/list-sessions.ts'
export { type FactorChallenge, type Login, type LoginResult, logIn } from './sessions/log-in.ts'
export { logOut } from './sessions/log-out.ts'
export { beginPasskeySignIn, signInWithPasskey } from './sessions/passkey-sign-in.ts'
export { refreshSession } from './sessions/refresh-session.ts'
export type { Account, SessionClient, SessionWithTokens } from './sessions/session.ts'
export { beginStepUp, type SteppedUpSession, stepUp } from './sessions/step-up.ts'
export { type Actor, actorOf, creatorColumns, creatorFrom, SYSTEM_ACTOR } from './shared/actor.ts'
export {
  type Credential,
  type KeyCredential,
  type RateLimitOverrides,
  type Scope,
  type ServiceAccountCredential,
  scopeOf,
  type UserCredential,
} from './shared/credential.ts'
export { type ConsumeQuotaPlaces, heldPlaces, holdQuotaPlaces } from './shared/hold-quota-places.ts'
export { apiKeyUse, memberUse, profileUse, savedViewUse } from './shared/identity-use.ts'
export { KeyUsage } from './shared/key-usage.ts'
export { lockOrganization } from './shared/lock-organization.ts'
export type { Page, PageRequest } from './shared/page.ts'
export type {
  AssignedPasswords,
  EmailVerification,
  Environment,
  FactorSettings,
  IdentityParts,
  IdentitySecrets,
  MailParts,
  SessionLimits,
} from './shared/parts.ts'
export type { PasswordRules } from './shared/password-rules.ts'
export { type QuotaReading, type QuotaUse, readQuotas, requireQuota } from './shared/require-quota.ts'
export { approveDomain } from './sso/domains/approve-domain.ts'
export { claimDomain } from './sso/domains/claim-domain.ts'
export type { SsoDomain } from './sso/domains/domain.ts'
export { listDomains } from './sso/domains/list-domains.ts'
export { releaseDomain } from './sso/domains/release-domain.ts'
export { verifyDomain } from './sso/domains/verify-domain.ts'
export type { RoleRules, SsoConnections, SsoParts } from './sso/parts.ts'
export { createProvider } from './sso/providers/create-provider.ts'
export { deleteProvider } from './sso/providers/delete-provider.ts'
export { listProviders } from './sso/providers/list-providers.ts'
export { SSO_SEALED_COLUMN, type SsoProvider } from './sso/providers/provider.ts'
export { updateProvider } from './sso/providers/update-provider.ts'
export { type AdmittedMember, admitMember } from './sso/sign-in/admit-member.ts'
export { type CompletedSignIn, completeSignIn } from './sso/sign-in/complete-sign-in.ts'
export { exchangeSignInCode } from './sso/sign-in/exchange-code.ts'
export { ownCallbackUrl } from './sso/sign-in/redirect-uri.ts'
export { startSignIn } from './sso/sign-in/start-sign-in.ts'
export { unlinkMember } from './sso/sign-in/unlink-member.ts'
