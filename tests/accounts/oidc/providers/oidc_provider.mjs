// The library oidc-provider with one client; its own pages for development sign in whoever says who they are.
// node oidc_provider.mjs PORT CLIENT, in a folder where it is installed
import { Provider } from "oidc-provider";

const [port, client] = [Number(process.argv[2]), JSON.parse(process.argv[3])];
const known = { email: "ada@example.org", email_verified: true, groups: ["staff", "data desk"] };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [client],
  claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email", "email_verified"], groups: ["groups"] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, ...known }) }),
});
provider.listen(port, "127.0.0.1");
