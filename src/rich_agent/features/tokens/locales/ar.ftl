command-tokens = السماح لبرامج أخرى بسؤالي باسمك
tokens-none = برمز وصول يستطيع برنامج آخر أن يسألني باسمك عبر HTTP. لا رموز بعد.
tokens-about = برمز وصول يستطيع برنامج آخر أن يسألني باسمك عبر HTTP. الزر ✕ يلغي الرمز فورًا.
tokens-open = رموز الوصول لديك
tokens-unreachable = لا تستطيع برامج أخرى الوصول إليّ هنا، فلا أنشئ رمزًا. على مشغّلي أولًا ضبط PUBLIC_URL.
tokens-make = رمز جديد
tokens-make-named = رمز جديد «{ $name }»
tokens-name = Telegram
tokens-made = هذا هو الرمز الجديد. لا أعرضه إلا الآن. يُرجى نسخه إلى برنامجك ثم إخفاؤه. من يملكه يستطيع أن يسألني باسمك، حتى إلغائه. عنواني للبرامج: { $address }
tokens-hide = إخفاء الرمز
tokens-revoked = أُلغي الرمز. لم يعد يفتح شيئًا.
tokens-too-many = عدد رموزك { $most }، وهو الحد الأقصى. يجب أولًا إلغاء أحدها.
tokens-made-on = أُنشئ { $day }
tokens-used-on = آخر استخدام { $day }
tokens-unused = لم يُستخدم بعد
tokens-ends-on = ينتهي { $day }

# The pages of users.
tokens-revoke = إلغاء
tokens-name-label = الاسم
