import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { ORGANIZATION_RATE_LIMIT, QUOTAS } from '../../kernel/index.ts'

test('the defaults of the settings are the defaults of the service', () => {
  const { quotas, organizationRateLimit } = readConfig({})
  expect(quotas).toEqual(QUOTAS)
  expect(organizationRateLimit).toBe(ORGANIZATION_RATE_LIMIT)
})

test('each quota has its setting', () => {
  const settings = {
    QUOTA_API_KEYS: '1',
    QUOTA_MEMBERS: '2',
    QUOTA_WALLET_PROFILES: '3',
    QUOTA_WALLETS: '4',
    QUOTA_WEBHOOKS: '5',
    QUOTA_RAMP_ACCOUNTS: '6',
    QUOTA_RECIPIENTS: '7',
    QUOTA_SAVED_VIEWS: '8',
    QUOTA_PENDING_OPERATIONS: '9',
    QUOTA_PENDING_VERIFICATIONS: '10',
  }
  expect(Object.values(readConfig(settings).quotas)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})
