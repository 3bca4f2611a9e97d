import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style.css'
import { readEarly } from './api/early-session.ts'
import { readAhead } from './api/read-ahead.ts'
import { reloadAfterUpgrade } from './lib/requests/reload-after-upgrade.ts'
import { guardMarkup } from './trusted-types.ts'

guardMarkup()
reloadAfterUpgrade()
readEarly()
readAhead(location)

// One after the other, each in a task of its own: all scripts of the page in one would hold up a phone. The page names
// their files, so none waits to be found.
await import('react-dom/client')
await import('./api/use-api.ts')
await import('./router.tsx')
await import('./app.tsx')
