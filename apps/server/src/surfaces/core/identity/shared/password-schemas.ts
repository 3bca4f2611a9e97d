import Type from 'typebox'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../../../kernel/index.ts'

/** A password to check: a short one matches nothing, but is not malformed. */
export const givenPassword = (description: string) =>
  Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, description })

/** A password to store; `name` begins its description. */
export const newPassword = (name: string) =>
  Type.String({
    minLength: PASSWORD_LENGTH_MIN,
    maxLength: PASSWORD_LENGTH_MAX,
    description: `${name}, ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
  })
