import { describe, expect, test } from 'vitest'
import { CORE_OPERATIONS } from '../../../../../packages/sdk/src/generated/core-operations.ts'
import { V1_OPERATIONS } from '../../../../../packages/sdk/src/generated/v1-operations.ts'
import { actionNamed, actionText } from './action-text.ts'

/** Those that no request is called. */
const OTHERS = ['recoverOwner', 'finishErasure', 'addMemberBySso', 'changeRoleBySso', 'expireChangeRequest']
const ACTIONS = [...new Set([...Object.keys(CORE_OPERATIONS), ...Object.keys(V1_OPERATIONS), ...OTHERS])]

describe('an action of the audit log', () => {
  test('is shown in words, each with its own, and found by them', () => {
    expect(ACTIONS.length).toBeGreaterThan(150)
    for (const action of ACTIONS) {
      expect(actionText(action)).toMatch(/^[A-Z][a-z]*(?: (?:[a-z]+\d?|API|SSO|KYB|TOTP|RPC))*$/)
      expect(actionNamed(actionText(action))).toBe(action)
      expect(actionNamed(action)).toBe(action)
    }
  })

  test.each([
    ['logIn', 'Log in'],
    ['approveOperation', 'Approve operation'],
    ['rotateApiKey', 'Rotate API key'],
    ['register', 'Register'],
  ])('%s is “%s”', (action, text) => {
    expect(actionText(action)).toBe(text)
  })

  test('is found in any case', () => {
    expect(actionNamed('approve Operation')).toBe('approveOperation')
    expect(actionNamed('Register')).toBe('register')
  })
})
