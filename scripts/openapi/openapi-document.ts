import { withExamples } from '../../apps/server/src/surfaces/http/openapi/with-examples.ts'
import { everyRoute } from '../../apps/server/testing/surfaces/every-route.ts'

/** The OpenAPI document of the sandbox, built from the routes. It starts no database and no chain. */
export async function openApiDocument({ preview = true, examples = true } = {}): Promise<object> {
  const { app } = await everyRoute({ preview })
  await app.ready()
  const document = examples ? await withExamples(app.swagger()) : app.swagger()
  await app.close()
  return document
}
