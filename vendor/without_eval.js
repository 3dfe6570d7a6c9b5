// The page's policy forbids code made of text. Without this zod would try it once, in vain.
import { config } from "zod/v4/core";

config({ jitless: true });
