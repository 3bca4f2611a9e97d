import type { RouteAccess } from './path-ids.ts'

/** The routes of second factors and security settings. Probes are refused before they change anything. */
export const FACTOR_ROUTES: Readonly<Record<string, RouteAccess>> = {
  'GET /api/core/auth/factors': { access: 'everyone' },
  'GET /api/core/organization/security': { access: 'everyone' },
  'GET /api/core/auth/notifications': { access: 'everyone' },
  'PUT /api/core/auth/notifications': { access: 'everyone', probe: { body: { approvalMails: 'x' } } },
  'POST /api/core/auth/second-factor': { access: 'open' },
  'POST /api/core/auth/passkey/options': { access: 'open' },
  'POST /api/core/auth/passkey': { access: 'open' },
  'POST /api/core/auth/step-up/options': { access: 'everyone' },
  'POST /api/core/auth/step-up': { access: 'everyone' },
  'POST /api/core/auth/factors/totp': { access: 'everyone', probe: { body: { currentPassword: 1 } } },
  'POST /api/core/auth/factors/totp/confirm': { access: 'everyone' },
  'POST /api/core/auth/factors/passkeys/options': { access: 'everyone', probe: { body: { currentPassword: 1 } } },
  'POST /api/core/auth/factors/passkeys': { access: 'everyone' },
  'POST /api/core/auth/factors/recovery-codes': { access: 'everyone' },
  'DELETE /api/core/auth/factors/totp': { access: 'everyone' },
  'DELETE /api/core/auth/factors/passkeys/{id}': { access: 'everyone', probe: { path: { id: 2 ** 40 } } },
  'PUT /api/core/organization/signed-approvals': { access: 'owners', probe: { body: { required: 'x' } } },
  'PUT /api/core/organization/security': { access: 'owners', probe: { body: { secondFactorRequired: 'x' } } },
}
