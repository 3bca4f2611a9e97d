import Type from 'typebox'
import { id } from './ids.ts'

/** Who created an object. */
export const createdBy = (description: string) =>
  Type.Object(
    {
      type: Type.Enum(['user', 'key', 'system', 'service_account'], {
        description: 'A member, an API key, the service itself, or a service account.',
      }),
      id: Type.Union([id('Id of the member or the key.'), Type.Null()], {
        description: 'Id of the member or the key; null for the service.',
      }),
    },
    { description },
  )
